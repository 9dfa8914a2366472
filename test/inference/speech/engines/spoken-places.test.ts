import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onEspeak } from '../../../support/servers/services.js';
import { EspeakEngine } from '../../../../src/inference/speech/engines/espeak-engine.js';
import { FliteEngine } from '../../../../src/inference/speech/engines/flite-engine.js';
import type { SpeechEngine } from '../../../../src/inference/speech/engines/speech-engine.js';

const NEVER = new AbortController().signal;
let [flite, espeak]: [SpeechEngine | undefined, SpeechEngine | undefined] = [undefined, undefined];

beforeAll(async () => {
  [flite, espeak] = await Promise.all([FliteEngine.find(), EspeakEngine.find()]);
});
afterAll(() => Promise.all([flite?.close(), espeak?.close()]));

it('sound of flite that is not read is held 16 times for one user, and 32 times for a tenant, at most', () =>
  holds(flite, 16, 'Hello.'));

/** More than is read ahead of a program. */
const LONG = 'A long sentence that nobody wants to hear up to its end. '.repeat(40);
onEspeak.it('processes of espeak-ng whose sound is not read are 4 of one user, and 8 of a tenant', () =>
  holds(espeak, 4, LONG),
);

/** Has two users leave so much unread, a third one of their tenant wait, and one of another tenant spoken to. */
async function holds(engine: SpeechEngine | undefined, most: number, input: string): Promise<void> {
  const speak = (userId: string, tenantId = 'one') =>
    engine?.speak?.(requestFor(input), { tenantId, userId, signal: NEVER });
  const unread = await Promise.all(Array.from({ length: most }, () => speak('ann')));
  const spoken: string[] = [];
  const second = speak('ann')?.then(() => spoken.push('ann'));
  await Promise.all(Array.from({ length: most }, () => speak('amy')));
  const third = speak('abe')?.then(() => spoken.push('abe'));

  await speak('bob', 'two');

  expect(spoken).toEqual([]);
  for (const sound of unread.slice(0, 2)) sound?.cancel();
  await Promise.all([second, third]);
}

function requestFor(input: string) {
  return { model: '', traits: {} as never, input, voice: 'alloy', speed: 1, fields: {} };
}
