import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { openLive } from '../../support/servers/live-client.js';
import { RecordingProbe } from '../../support/builders/recordings.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { resample, spokenSentence } from '../../support/builders/spoken-sentence.js';

/** Turns that are committed once two minutes wait for a model that hangs. */
const TURNS = 200;
const SECOND_BYTES = 16_000 * 2;
const ITEM = 'conversation.item.input_audio_transcription';

let bed: SpeechBed;
beforeAll(async () => {
  bed = await startSpeechBed();
});
afterAll(() => bed.close());

it('tells the client of each turn that a hanging model fails at, and stores few events that say how many', async () => {
  bed.server.byDefault = () => ({ ending: 'silent' });
  const sentence = resample(await spokenSentence(bed, 'The weather is very nice today.'), 24_000, 16_000);
  const recording = await RecordingProbe.create(bed.platform, bed.token, { method: 'live' });
  const client = await openLive(bed.platform.url, { token: bed.token, query: `&recording_id=${recording.id}` });
  const input = { format: { type: 'audio/pcm', rate: 16_000 }, turn_detection: null };
  client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  // Four turns of thirty seconds, the longest.
  const waiting = Buffer.concat([sentence, Buffer.alloc(120 * SECOND_BYTES - sentence.length)]);
  client.say(waiting, 10 * SECOND_BYTES);

  for (let count = 0; count < TURNS; count += 1) {
    client.say(Buffer.alloc(SECOND_BYTES / 10));
    client.send({ type: 'input_audio_buffer.commit' });
  }
  await client.next(`${ITEM}.failed`, TURNS);
  const rows = await eventually('all failures are stored', 15, async () => {
    const found = await bed.platform.query<EventRow>(EVENTS, [recording.id]);
    const turns = found.reduce((sum, { data }) => sum + (data.status === 'failed' ? (data.turns ?? 1) : 0), 0);
    return turns === TURNS && found;
  });
  client.socket.terminate();

  const failed = client.events.filter(({ type }) => type === `${ITEM}.failed`);
  expect(new Set(failed.map(({ item_id }) => item_id)).size).toBe(TURNS);
  expect(rows.length).toBeLessThan(10);
  expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.at(-1)?.data).toMatchObject({
    status: 'failed',
    item_id: failed.at(-1).item_id,
    error: { code: 'unavailable' },
  });
});

const EVENTS = 'SELECT id, data FROM live_events WHERE recording_id = $1 ORDER BY id';

interface EventRow {
  readonly id: number;
  readonly data: { readonly status: string; readonly turns?: number };
}
