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

it('sound of flite that is not read is held for one caller 16 times at most', () => holds(flite, 16, 'Hello.'));

/** More than is read ahead of a program. */
const LONG = 'A long sentence that nobody wants to hear up to its end. '.repeat(40);
onEspeak.it('processes of espeak-ng whose sound is not read are 4 of one caller', () => holds(espeak, 4, LONG));

/** Has one caller leave so much unread, and another one spoken to; the first goes on where it reads. */
async function holds(engine: SpeechEngine | undefined, most: number, input: string): Promise<void> {
  const speak = (callerId: string) => engine?.speak?.(requestFor(input), NEVER, callerId);
  const unread = await Promise.all(Array.from({ length: most }, () => speak('ann')));
  let isSpoken = false;
  const next = speak('ann')?.then(() => (isSpoken = true));

  await speak('bob');

  expect(isSpoken).toBe(false);
  unread[0]?.cancel();
  await next;
  expect(isSpoken).toBe(true);
}

function requestFor(input: string) {
  return { model: '', traits: {} as never, input, voice: 'alloy', speed: 1, fields: {} };
}
