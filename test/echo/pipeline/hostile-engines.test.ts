import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';
import { eventually } from '../../support/probes/eventually.js';
import { heard, secondsOf } from '../../support/probes/heard-speech.js';
import { RecordingProbe } from '../../support/builders/recordings.js';
import { json } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechRequestSeen } from '../../support/servers/speech-server.js';

describe('a recording before a hostile engine', () => {
  it.each<[string, (start: number, index: number) => unknown]>([
    ['go backward', (start) => 2 - start],
    ['are no numbers', () => 'NaN'],
    ['are partly no numbers', (start, index) => (index % 2 === 0 ? 'NaN' : start)],
    ['lie far outside', (start) => start * 1_000_000],
    ['are negative', (start) => -start - 1],
    ['are all the same', () => 1],
    ['are texts', (start) => `"${start}"`],
  ])('has its words in order and within it where times %s', async (_, timeOf) => {
    bed.server.byDefault = (request) => timed(request, timeOf);
    const { recording, transcript } = await transcribed();

    const { duration_seconds: duration } = await recording.get();
    const pieces = transcript.segments.flatMap((segment: Timed) => segment.words ?? [segment]) as Timed[];
    expect(transcript.segments.length).toBeGreaterThan(0);
    for (const [index, { start, end }] of pieces.entries()) {
      expect(start).toBeGreaterThanOrEqual(pieces[index - 1]?.start ?? 0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(duration);
    }
  });

  it('is transcribed, once, where the engine tells what the database cannot store', async () => {
    const bad = 'so\u0000me\ud800';
    bed.server.byDefault = (request) => {
      const end = secondsOf(request);
      const words = [{ word: bad, start: 0, end }];
      return json(200, { text: bad, language: bad, words, segments: [{ text: bad, speaker: bad, start: 0, end }] });
    };

    const { transcript } = await transcribed({ diarization_enabled: true });

    expect(transcript.text).toContain('some\ufffd');
    expect(transcript.language).toBeNull();
    expect(await bed.calls()).toHaveLength(1);
  });

  it('is sent in smaller parts where the engine takes less than it says', async () => {
    bed.server.byDefault = (request) =>
      secondsOf(request) > 6 ? json(413, { error: { message: 'too large' } }) : heard(request, 'a part of it');

    const { transcript } = await transcribed();

    expect(transcript.text).toBe('a part of it a part of it');
    expect(transcript.warnings).toEqual([]);
  });

  it.each<[string, Script]>([
    ['is busy', json(429, { error: { message: 'slow down' } }, { 'retry-after': '1' })],
    ['hangs', { ending: 'silent' }],
    ['breaks the connection', { ending: 'reset' }],
    ['answers something else', { pieces: ['<html>'], type: 'text/html' }],
  ])('is transcribed once the engine answers that %s at first', async (_, script) => {
    bed.server.byDefault = (request) => heard(request, 'all of it');
    bed.server.answer(script);

    const { transcript } = await transcribed();

    expect(transcript).toMatchObject({ text: 'all of it', warnings: [] });
  });

  let bed: SpeechBed;
  let talk: Buffer;
  beforeAll(async () => {
    bed = await startSpeechBed([{ audio: { max_seconds: 20 }, timeout_seconds: 2 }]);
    const sentences = [
      'The meeting begins at nine in the large room.',
      'Lunch is at noon, and everybody is welcome to it.',
    ];
    talk = wavOf(...sentences.flatMap((text) => [samplesOf(spoken(text)), silence(2)]));
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  async function transcribed(body: object = {}) {
    const recording = await RecordingProbe.create(bed.platform, bed.token, body);
    await recording.put(talk);
    await eventually('it is transcribed', 25, async () => (await recording.get()).status === 'completed');
    return { recording, transcript: (await recording.request('GET', '/transcript')).body };
  }
});

interface Timed {
  readonly start: number;
  readonly end: number;
  readonly words?: readonly Timed[] | null;
}

/** Twelve words over what is sent, at the times that are told; `NaN` is written as Python does. */
function timed(request: SpeechRequestSeen, timeOf: (start: number, index: number) => unknown): Script {
  const step = secondsOf(request) / 12;
  const words = Array.from({ length: 12 }, (_, index) => {
    const [start, end] = [timeOf(index * step, index), timeOf((index + 0.9) * step, index)];
    return `{"word":"word${index}","start":${String(start)},"end":${String(end)}}`;
  });
  const text = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ');
  return { pieces: [`{"text":"${text}","words":[${words.join()}]}`] };
}
