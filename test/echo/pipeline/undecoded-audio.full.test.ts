import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ffmpeg, spoken } from '../../support/builders/audio.js';
import { eventually } from '../../support/probes/eventually.js';
import { RecordingProbe, sha256Of } from '../../support/builders/recordings.js';
import { json } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('audio other than WAV on a machine without ffmpeg', () => {
  let bed: SpeechBed;
  let mp3: Buffer;
  beforeAll(async () => {
    mp3 = ffmpeg(spoken('The meeting begins at nine in the large room.'), '-f', 'mp3');
    bed = await withoutPrograms(() =>
      startSpeechBed([{ audio: { max_bytes: MAX_BYTES, max_seconds: MAX_SECONDS } }], { BUILTIN_BACKEND: 'true' }),
    );
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('goes to the model as it is, and what the model tells is kept and charged', async () => {
    bed.server.byDefault = () => json(200, { text: 'Good morning', language: 'english', duration: 2.5, words: WORDS });
    const recording = await send(mp3);

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(bed.server.requests).toHaveLength(1);
    expect(bed.server.requests[0]?.file).toMatchObject({ name: 'audio.mp3', type: 'audio/mpeg' });
    expect(sha256Of(bed.server.requests[0]?.file?.bytes ?? Buffer.alloc(0))).toBe(sha256Of(mp3));
    expect(done).toMatchObject({ status: 'completed', error: null, duration_seconds: 2.5, media_type: 'audio/mpeg' });
    expect(body).toMatchObject({ text: 'Good morning', duration_seconds: 2.5, warnings: [{ type: 'unchecked' }] });
    expect(body.segments).toMatchObject([{ start: 0.1, end: 0.9, words: WORDS }]);
    expect(await bed.calls()).toMatchObject([{ audio_ms: 3_000 }]);
  });

  it('has an unknown length where the model tells none, and all that was reserved is charged', async () => {
    bed.server.byDefault = () => json(200, { text: 'Good morning' });
    const recording = await send(mp3, { diarization_enabled: true });

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(done).toMatchObject({ status: 'completed', duration_seconds: null });
    expect(body).toMatchObject({ text: 'Good morning', duration_seconds: null });
    expect(body.warnings.map(({ type }: { type: string }) => type)).toEqual(['unchecked', 'no_speakers']);
    expect(await bed.calls()).toMatchObject([{ audio_ms: MAX_SECONDS * 1_000 }]);
  });

  it('has the times of words within what the file can hold, whatever the model tells', async () => {
    const absurd = { word: 'never', start: 1e9, end: 2e9 };
    bed.server.byDefault = () => json(200, { text: 'Good morning never', duration: 1e12, words: [...WORDS, absurd] });
    const recording = await send(mp3);

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(done.duration_seconds).toBeNull();
    expect(body.segments.at(-1).end).toBeLessThanOrEqual(mp3.length / 500);
  });

  it('stays uploaded, with why, where the model does not take it', async () => {
    const long = Buffer.concat(Array.from({ length: Math.ceil(MAX_BYTES / mp3.length) + 1 }, () => mp3));
    const recording = await send(long);

    await eventually('it says why', 20, async () => (await recording.get()).error !== null);

    const error = expect.stringMatching(/needs the program ffmpeg.* at most/);
    expect(await recording.get()).toMatchObject({ status: 'uploaded', error });
    expect(bed.server.requests).toHaveLength(0);
  });

  it('is transcribed at once by a model that takes it, and otherwise refused', async () => {
    bed.server.byDefault = () => json(200, { text: 'Good morning', duration: 2.5, words: WORDS });

    const text = await ask({ model: 'heard', response_format: 'verbose_json' });
    const diarized = await ask({ model: 'heard', response_format: 'diarized_json' });
    const long = await ask({ model: 'heard' }, Buffer.concat([mp3, Buffer.alloc(MAX_BYTES)]));

    expect(text).toMatchObject({ status: 200, body: { text: 'Good morning', duration: 2.5, usage: { seconds: 3 } } });
    const refused = (param: string) => ({
      status: 409,
      body: { error: expect.objectContaining({ code: 'capability_not_supported', param }) as unknown },
    });
    expect([diarized, long]).toEqual([refused('response_format'), refused('file')]);
    expect(bed.server.requests).toHaveLength(1);
  });

  async function send(audio: Buffer, body: object = {}): Promise<RecordingProbe> {
    const recording = await RecordingProbe.create(bed.platform, bed.token, body);
    const headers = { 'content-type': 'audio/mpeg' };
    expect(await recording.put(audio, undefined, { headers })).toMatchObject({ status: 202 });
    return recording;
  }

  async function ask(fields: Readonly<Record<string, string>>, audio = mp3) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(audio)], { type: 'audio/mpeg' }), 'said.mp3');
    const { token } = bed;
    const answer = await bed.platform.send('POST', '/v1/audio/transcriptions', { token, body: form });
    return { status: answer.status, body: (await answer.json()) as unknown };
  }
});

/** Starts something that finds no program. */
async function withoutPrograms<T>(start: () => Promise<T>): Promise<T> {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    return await start();
  } finally {
    process.env['PATH'] = path;
  }
}

/** Waits until a recording is transcribed, or cannot be. */
async function finished(recording: RecordingProbe) {
  await eventually('it is transcribed', 60, async () =>
    ['completed', 'failed'].includes((await recording.get()).status as string),
  );
  return recording.get();
}

const WORDS = [
  { word: 'Good', start: 0.1, end: 0.4 },
  { word: 'morning', start: 0.5, end: 0.9 },
];

const MAX_BYTES = 200_000;

const MAX_SECONDS = 6;
