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

it('sound of flite that is not read is held 16 times for one user, and 32 times for a tenant', () =>
  holds(flite, { ofUser: 16, ofTenant: 32 }, 'Hello.'));

/** More than is read ahead of a program. */
const LONG = 'A long sentence that nobody wants to hear up to its end. '.repeat(40);
onEspeak.it('processes of espeak-ng whose sound is not read are 4 of one user, and 6 of a tenant', () =>
  holds(espeak, { ofUser: 4, ofTenant: 6 }, LONG),
);

/** Has a user, and then a tenant, leave so much unread, and others spoken to; the first goes on where it reads. */
async function holds(
  engine: SpeechEngine | undefined,
  { ofUser, ofTenant }: { readonly ofUser: number; readonly ofTenant: number },
  input: string,
): Promise<void> {
  const speak = (userId: string, tenantId = 'one') => engine?.speak?.(requestFor(input), NEVER, { tenantId, userId });
  const unread = await Promise.all(Array.from({ length: ofUser }, () => speak('ann')));
  const spoken: string[] = [];
  const next = speak('ann')?.then(() => spoken.push('ann'));

  unread.push(...(await Promise.all(Array.from({ length: ofTenant - ofUser }, () => speak('bob')))));
  const last = speak('cid')?.then(() => spoken.push('cid'));
  (await speak('dan', 'two'))?.cancel();

  expect(spoken).toEqual([]);
  for (const source of unread.slice(0, 2)) source?.cancel();
  await Promise.all([next, last]);
  expect(spoken.toSorted()).toEqual(['ann', 'cid']);
  for (const source of unread.slice(2)) source?.cancel();
}

function requestFor(input: string) {
  return { model: '', traits: {} as never, input, voice: 'alloy', speed: 1, fields: {} };
}
