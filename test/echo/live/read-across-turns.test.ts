import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spokenSentence } from '../../support/builders/spoken-sentence.js';
import { heard } from '../../support/probes/heard-speech.js';
import { openLive } from '../../support/servers/live-client.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

const SILENCE = Buffer.alloc(24_000 * 2);
const COMPLETED = 'conversation.item.input_audio_transcription.completed';

let bed: SpeechBed;
let spoken: Buffer;
beforeAll(async () => {
  bed = await startSpeechBed();
  spoken = await spokenSentence(bed, 'The weather is very nice today.');
  await bed.forget();
  const body = { name: 'across', enabled: true, rules: [{ kind: 'phone', action: 'mask' }] };
  await bed.platform.request('POST', '/v1/admin/sanitizer/policies', { token: bed.token, body });
});
afterAll(() => bed.close());

it('does not tell how a number goes on that has begun in the turn before', async () => {
  const texts = ['Call +49 151 23', '45 67 89 now'];
  bed.server.byDefault = (request) => heard(request, texts.shift() ?? 'and so on');
  const client = await openLive(bed.platform.url, { token: bed.token, query: '&model=heard' });

  client.say(Buffer.concat([SILENCE, spoken, SILENCE, spoken, SILENCE, spoken, SILENCE]));
  client.send({ type: 'session.close' });
  await client.closed;

  const told = client.events.filter(({ type }) => type === COMPLETED).map(({ transcript }) => transcript);
  expect(told).toEqual(['Call +49 151 23', 'now', 'and so on']);
});
