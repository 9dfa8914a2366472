import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { ChildPool } from '../../src/platform/extraction/child/child-pool.js';
import { samplesOf, silence, spoken, wavOf } from '../support/builders/audio.js';
import { eventually } from '../support/probes/eventually.js';
import { heard } from '../support/probes/heard-speech.js';
import { openLive } from '../support/servers/live-client.js';
import { openaiClient } from '../support/builders/openai-client.js';
import { RecordingProbe } from '../support/builders/recordings.js';
import { startSpeechBed } from '../support/servers/speech-bed.js';
import type { SpeechBed } from '../support/servers/speech-bed.js';

let bed: SpeechBed;
let talk: Buffer;
beforeAll(async () => {
  bed = await startSpeechBed();
  bed.server.byDefault = (request) => heard(request, 'Good morning everybody');
  talk = wavOf(samplesOf(spoken('Good morning everybody.')), silence(1));
});
afterAll(() => bed.close());
afterEach(() => {
  jest.restoreAllMocks();
});

it.each([
  ['job', transcribeRecording],
  ['request', transcribeFile],
  ['live', speak],
])('audio waits in the turn of its user, as a %s', async (kind, transcribe) => {
  const run = jest.spyOn(ChildPool.prototype, 'run');

  await transcribe();

  const { tenantId, userId } = bed.caller;
  const turns = run.mock.calls.map(([, { turn }]) => turn);
  expect(turns.length).toBeGreaterThan(0);
  expect(new Set(turns.map((turn) => JSON.stringify(turn)))).toEqual(
    new Set([JSON.stringify({ tenantId, userId, kind })]),
  );
});

async function transcribeRecording(): Promise<void> {
  const recording = await RecordingProbe.create(bed.platform, bed.token, { diarization_enabled: true });
  await recording.put(talk);
  await eventually('it is transcribed', 25, async () => (await recording.get()).status === 'completed');
}

async function transcribeFile(): Promise<void> {
  const file = new File([new Uint8Array(talk)], 'talk.wav');
  const options = { model: 'heard', file, response_format: 'diarized_json' as const };
  await openaiClient(bed).audio.transcriptions.create(options);
}

async function speak(): Promise<void> {
  const client = await openLive(bed.platform.url, { token: bed.token });
  const format = { type: 'audio/pcm', rate: 16_000 };
  client.send({
    type: 'session.update',
    session: { type: 'transcription', audio: { input: { format, turn_detection: null } } },
  });
  client.say(talk.subarray(44));
  client.send({ type: 'input_audio_buffer.commit' });
  await client.next('conversation.item.input_audio_transcription.completed');
  client.socket.close();
}
