import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { samplesOf, spoken, wavOf } from '../../support/builders/audio.js';
import { eventually } from '../../support/probes/eventually.js';
import { heard } from '../../support/probes/heard-speech.js';
import { RecordingProbe, sha256Of, silentWav } from '../../support/builders/recordings.js';
import { onFfmpeg } from '../../support/servers/services.js';
import { json } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('the transcript of a recording', () => {
  let bed: SpeechBed;
  let talk: Buffer;
  beforeAll(async () => {
    // A tenth of a minute at most: what follows is several chunks.
    bed = await startSpeechBed([{ audio: { max_seconds: 6 } }], {});
    talk = talkOf('The meeting begins at nine in the large room.', 'Lunch is at noon, and everybody is welcome to it.');
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  it('has what was said in each chunk, where it was said', async () => {
    let asked = 0;
    bed.server.byDefault = (request) => heard(request, `words of chunk ${(asked += 1)}`);
    const recording = await send(talk);

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(done).toMatchObject({
      status: 'completed',
      error: null,
      progress: 1,
      sha256: sha256Of(talk),
      media_type: 'audio/wav',
      model: null,
    });
    expect(done.duration_seconds).toBeCloseTo((talk.length - 44) / 32_000, 2);
    expect(asked).toBe(2);
    expect(body).toMatchObject({
      object: 'echo.transcript',
      recording_id: recording.id,
      model: 'heard',
      language: 'english',
      text: 'words of chunk 1 words of chunk 2',
      warnings: [],
      speakers: [],
    });
    const words = body.segments.flatMap((segment: { words: { start: number; end: number }[] }) => segment.words);
    expect(words.map(({ word }: { word: string }) => word).join(' ')).toBe(body.text);
    for (const { start, end } of words)
      expect([start >= 0, end > start, end <= done.duration_seconds]).toEqual([true, true, true]);
    expect(words[4].start).toBeGreaterThan(words[3].end + 1);
    expect((await bed.calls()).map(({ state, outcome }) => [state, outcome])).toEqual([
      ['estimated', 'completed'],
      ['estimated', 'completed'],
    ]);
  });

  it('is fetched as text and as subtitles, with names in place of labels', async () => {
    bed.server.byDefault = (request) => heard(request, 'Good morning everybody');
    const recording = await send(talk, { title: 'Meeting', diarization_enabled: true });
    await finished(recording);
    const { body: before } = await recording.request('GET', '/transcript');
    const [first] = before.speakers;

    await recording.request('PATCH', '', { body: { speakers: { [first.label]: 'Ann' } } });

    expect(first).toEqual({ label: 'S1', name: 'S1' });
    expect((await recording.request('GET', '/transcript')).body.segments[0].speaker).toBe('Ann');
    const texts = await Promise.all(['text', 'srt', 'vtt'].map((format) => fetched(recording, format)));
    expect(texts[0]).toMatchObject({ type: 'text/plain; charset=utf-8', name: expect.stringContaining('Meeting.txt') });
    expect(texts[0]?.text).toMatch(/^Ann: Good morning everybody/);
    expect(texts[1]?.text).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\nAnn: Good morning everybody\n/);
    expect(texts[2]?.text).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n<v Ann>Good morning everybody\n/);
    expect((await recording.request('GET', '/transcript?format=docx')).status).toBe(400);
  });

  it('is none where nobody speaks, and no model is asked', async () => {
    bed.server.byDefault = (request) => heard(request, 'Thanks for watching!');
    const recording = await send(silentWav(8));

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(done).toMatchObject({ status: 'completed', duration_seconds: 8 });
    expect(body).toMatchObject({ text: '', segments: [], warnings: [] });
    expect(bed.server.requests).toHaveLength(0);
  });

  it('has a gap with a warning where a chunk fails for good', async () => {
    let asked = 0;
    bed.server.byDefault = (request) =>
      (asked += 1) === 1 ? json(400, { error: { message: 'no' } }) : heard(request, 'the second half');
    const recording = await send(talk);

    const done = await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(done).toMatchObject({ status: 'completed', error: null });
    expect(body.text).toBe('the second half');
    expect(body.warnings).toMatchObject([{ type: 'gap', reason: 'bad_request' }]);
    expect(body.warnings[0].end).toBeLessThan(body.segments[0].start);
  });

  it('asks once more without what was said before where the model repeats itself, and then says so', async () => {
    const prompts: (string | undefined)[] = [];
    bed.server.byDefault = (request) => {
      prompts.push(request.fields.prompt?.[0]);
      return heard(request, prompts.length === 1 ? 'a good beginning' : Array(12).fill('again').join(' '));
    };
    const recording = await send(talk);

    await finished(recording);
    const { body } = await recording.request('GET', '/transcript');

    expect(prompts).toEqual([undefined, 'a good beginning', undefined]);
    expect(body.warnings).toMatchObject([{ type: 'low_confidence' }]);
    expect(body.segments.map((segment: { low_confidence: boolean }) => segment.low_confidence)).toContain(true);
  });

  it('waits for no colleague whose model says nothing', async () => {
    const colleague = await addSignedInUser(bed.platform);
    bed.server.byDefault = () => ({ ending: 'silent' });
    const stuck: RecordingProbe[] = [];
    while (stuck.length < 5) stuck.push(await send(talk));
    await eventually('the model is asked', 20, () => bed.server.requests.length >= 2);
    bed.server.byDefault = (request) => heard(request, 'good morning');

    const recording = await RecordingProbe.create(bed.platform, colleague.token);
    await recording.put(talk);
    const done = await finished(recording);
    for (const one of stuck) await one.request('DELETE');

    expect(done).toMatchObject({ status: 'completed', error: null });
  });

  it('is made anew, while the one before serves', async () => {
    bed.server.byDefault = (request) => heard(request, 'the first time');
    const recording = await send(talk);
    await finished(recording);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    bed.server.byDefault = (request) => heard(request, 'the second time', held);

    const begun = await recording.request('POST', '/transcribe', { body: { language: 'en' } });
    const again = await recording.request('POST', '/transcribe', { body: {} });
    const meanwhile = await recording.request('GET', '/transcript');
    answer();
    const done = await finished(recording);

    expect(begun).toMatchObject({ status: 202, body: { status: 'transcribing', language: 'en', progress: 0 } });
    expect(again.status).toBe(409);
    expect(meanwhile.body.text).toContain('the first time');
    expect(done).toMatchObject({ status: 'completed', language: 'en' });
    expect((await recording.request('GET', '/transcript')).body.text).toContain('the second time');
    expect(bed.server.requests.at(-1)?.fields.language).toEqual(['en']);
  });

  it('is refused before all audio is there, and does not exist before it was made', async () => {
    const recording = await RecordingProbe.create(bed.platform, bed.token);
    await recording.putPiece(talk, 0, 10_000);

    const early = await recording.request('POST', '/transcribe', { body: {} });
    const none = await recording.request('GET', '/transcript');

    expect([early.status, none.status]).toEqual([409, 404]);
  });

  it('waits for a model server that is away', async () => {
    bed.server.byDefault = () => json(503, { error: { message: 'down' } });
    const recording = await send(talk);
    await eventually('it waits', 20, async () => (await recording.get()).error !== null);
    const waiting = await recording.get();
    bed.server.byDefault = (request) => heard(request, 'better late than never');

    const done = await finished(recording);

    expect(waiting.status).toBe('transcribing');
    expect(done).toMatchObject({ status: 'completed', error: null });
  });

  onFfmpeg.it('fails where the audio is damaged, and keeps the audio', async () => {
    const damaged = Buffer.concat([
      Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
      Buffer.from([0xff, 0xfb, 0x90, 0x00]),
      Buffer.alloc(5_000, 7),
    ]);
    const recording = await send(damaged);

    const done = await finished(recording);

    expect(done.status).toBe('failed');
    expect(done.error).toMatch(/audio/i);
    expect((await recording.audio()).bytes.equals(damaged)).toBe(true);
  });

  async function send(audio: Buffer, body: object = {}): Promise<RecordingProbe> {
    const recording = await RecordingProbe.create(bed.platform, bed.token, body);
    const { status } = await recording.put(audio);
    expect(status).toBe(202);
    return recording;
  }

  async function fetched({ id }: RecordingProbe, format: string) {
    const path = `/v1/echo/recordings/${id}/transcript?format=${format}`;
    const answer = await bed.platform.send('GET', path, { token: bed.token });
    const [type, name] = [answer.headers.get('content-type'), answer.headers.get('content-disposition')];
    return { type, name, text: await answer.text() };
  }
});

/** Waits until a recording is transcribed, or cannot be. */
async function finished(recording: RecordingProbe) {
  await eventually('it is transcribed', 60, async () =>
    ['completed', 'failed'].includes((await recording.get()).status as string),
  );
  return recording.get();
}

/** Sentences with three seconds of silence behind each. */
function talkOf(...sentences: readonly string[]): Buffer {
  const pause = samplesOf(silentWav(3));
  return wavOf(...sentences.flatMap((sentence) => [samplesOf(spoken(sentence)), pause]));
}
