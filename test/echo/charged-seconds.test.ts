import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { samplesOf, silence, spoken, wavOf } from '../support/builders/audio.js';
import { spokenSentence } from '../support/builders/spoken-sentence.js';
import { heard } from '../support/probes/heard-speech.js';
import { openLive } from '../support/servers/live-client.js';
import { startSpeechBed } from '../support/servers/speech-bed.js';
import type { SpeechBed } from '../support/servers/speech-bed.js';

describe('the seconds of audio that calls are charged', () => {
  let bed: SpeechBed;
  beforeAll(async () => {
    bed = await startSpeechBed([{ audio: { max_seconds: 4 } }]);
    bed.server.byDefault = (request) => heard(request, 'The ferry leaves at nine');
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it.each(['json', 'verbose_json', 'diarized_json', 'stream'])(
    'are the same whole number in an answer as %s, in the ledger and in the quota',
    async (format) => {
      const before = await quotaSeconds();

      const seconds = await transcribed(TALK, format);

      const ledger = await ledgerSeconds();
      expect(ledger.length).toBeGreaterThan(1);
      expect(ledger.every(Number.isInteger)).toBe(true);
      expect(seconds).toBe(sum(ledger));
      expect((await quotaSeconds()) - before).toBe(seconds);
    },
  );

  it('are none where nobody speaks', async () => {
    expect(await transcribed(wavOf(silence(5)), 'json')).toBe(0);
    expect(await ledgerSeconds()).toEqual([]);
  });

  it('are the same in a live session', async () => {
    const sentence = await spokenSentence(bed, 'The ferry leaves at nine.');
    await bed.forget();
    const before = await quotaSeconds();
    const client = await openLive(bed.platform.url, { token: bed.token });
    client.say(Buffer.concat([sentence, PAUSE, sentence, PAUSE]));

    const turns = [await client.next(COMPLETED), await client.next(COMPLETED, 2)];
    client.socket.close();

    const told = sum(turns.map(({ usage }) => usage.seconds));
    expect(told).toBe(sum(await ledgerSeconds()));
    expect((await quotaSeconds()) - before).toBe(told);
  });

  it('are whole ones of what is spoken, too', async () => {
    const before = await quotaSeconds();
    const body = {
      model: 'builtin-flite',
      input: 'The ferry leaves at nine. Lunch is at noon.',
      response_format: 'wav',
    };

    const answer = await bed.platform.send('POST', '/v1/audio/speech', { token: bed.token, body });
    await answer.arrayBuffer();

    const ledger = await ledgerSeconds();
    expect(ledger.every((seconds) => Number.isInteger(seconds) && seconds > 0)).toBe(true);
    expect((await quotaSeconds()) - before).toBe(sum(ledger));
  });

  async function transcribed(wav: Buffer, format: string): Promise<number> {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(wav)], 'said.wav'));
    if (format === 'stream') form.append('stream', 'true');
    else form.append('response_format', format);
    const headers = { authorization: `Bearer ${bed.token}` };
    const answer = await fetch(`${bed.platform.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    const text = await answer.text();
    const body = format === 'stream' ? (text.trim().split('data: ').at(-1) ?? '') : text;
    return JSON.parse(body).usage.seconds as number;
  }

  async function ledgerSeconds(): Promise<number[]> {
    const { body } = await bed.platform.as(bed.token).get('/v1/usage/calls');
    const calls = body.data as { area: string; audio_seconds: number }[];
    return calls.filter(({ area }) => area === 'echo').map(({ audio_seconds: seconds }) => seconds);
  }

  async function quotaSeconds(): Promise<number> {
    const { body } = await bed.platform.as(bed.token).get('/v1/quota');
    return body.usage.audio_seconds as number;
  }
});

const COMPLETED = 'conversation.item.input_audio_transcription.completed';
const PAUSE = Buffer.alloc(24_000 * 2);
/** More than the model takes at once. */
const TALK = wavOf(
  silence(3),
  samplesOf(spoken('The ferry leaves at nine in the morning.')),
  silence(3),
  samplesOf(spoken('Lunch is at noon, and everybody is welcome to it.')),
  silence(1),
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
