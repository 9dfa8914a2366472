import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { startSpeechBed } from './speech-bed.js';
import type { SpeechBed } from './speech-bed.js';
import { toneWav } from './speech-server.js';

const ORDER = 'mutation ($body: JSON!) { createSpeech(body: $body) { url } }';
const BACKEND = { models: ['spoken'], supports: ['speech'] };
/** What the model server says, without an end. */
export const ENDLESS_SOUND = { type: 'audio/wav', pieces: [toneWav(3)], ending: 'hang' } as const;

/** How a spoken text is fetched: by REST, as events, or from the address that GraphQL answers. */
export type SpeechWay = 'POST' | 'events' | 'GET';

/** A platform whose spoken texts are fetched in every way, and left together. */
export interface AskedSpeech {
  readonly bed: SpeechBed;
  /** @returns asks for the answer; resolves with its head */
  ask(way: SpeechWay): Promise<() => Promise<Response>>;
  /** Leaves all answers. */
  leave(): void;
}

/** Starts one before the tests of a file. @param format of the answers */
export function useAskedSpeech(env: Readonly<Record<string, string>>, format: string): AskedSpeech {
  let client = new AbortController();
  let bed: SpeechBed;
  const leave = (): void => {
    client.abort();
    client = new AbortController();
  };
  beforeAll(async () => {
    bed = await startSpeechBed([BACKEND], env);
    bed.server.byDefault = () => ENDLESS_SOUND;
  });
  afterAll(() => bed.close());
  afterEach(async () => {
    leave();
    await bed.forget();
  });
  return {
    get bed() {
      return bed;
    },
    leave,
    async ask(way) {
      const { platform, token } = bed;
      const body = { model: 'spoken', input: 'One piece of text.', response_format: format };
      const sent = { ...body, ...(way === 'events' && { stream_format: 'sse' }) };
      if (way !== 'GET')
        return () => platform.send('POST', '/v1/audio/speech', { token, body: sent, signal: client.signal });
      const ordered = await platform.graphql(ORDER, { body }, token);
      return () => platform.send('GET', ordered.body.data.createSpeech.url, { signal: client.signal });
    },
  };
}
