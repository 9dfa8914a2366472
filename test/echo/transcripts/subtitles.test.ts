import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toDiarizedJson, toVerboseJson } from '../../../src/echo/transcripts/formats/openai-json.js';
import { toSrt } from '../../../src/echo/transcripts/formats/srt.js';
import { toVtt } from '../../../src/echo/transcripts/formats/vtt.js';
import { onFfmpeg } from '../../support/servers/services.js';
import type { TranscriptSegment } from '../../../src/echo/transcripts/transcripts.types.js';

describe('subtitles', () => {
  it('have a cue for each segment, with its speaker', () => {
    const segments = [segment(0, 1.5, 'Hello.', 'S1'), segment(3_661.0004, 3_661.0004, 'A < B --> C & D', null)];

    expect(toSrt(segments, { S1: 'Ann' })).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nAnn: Hello.\n\n2\n01:01:01,000 --> 01:01:01,001\nA ‹ B -› C & D\n',
    );
    expect(toVtt(segments, { S1: 'Ann' })).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n<v Ann>Hello.\n\n' +
        '01:01:01.000 --> 01:01:01.001\nA &lt; B --&gt; C &amp; D\n',
    );
  });

  onFfmpeg.it('are read by ffmpeg, cue for cue, whatever is said', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.constantFrom(
        'a\n\nb',
        '1\n00:00:01,000 --> 00:00:02,000\nx',
        'NOTE x',
        '{\\an8}top',
        '<i>',
        'WEBVTT',
        'STYLE',
      ),
    );
    const segments = fc
      .array(text, { minLength: 1, maxLength: 8 })
      .map((texts) =>
        texts.map((said, index) => segment(index * 2, index * 2 + 1.5, `It says ${said}`, index % 2 ? 'S1' : null)),
      );

    fc.assert(
      fc.property(segments, (spoken) => {
        expect(cues('srt', toSrt(spoken))).toHaveLength(spoken.length);
        expect(cues('webvtt', toVtt(spoken))).toHaveLength(spoken.length);
      }),
      { numRuns: 15 },
    );
    expect(cues('webvtt', toVtt([]))).toEqual([]);
  });
});

describe('what OpenAI calls it', () => {
  const transcript = {
    language: 'en',
    durationSeconds: 12.34567,
    timing: 'words' as const,
    text: 'Hello.',
    segments: [segment(0, 1.5, 'Hello.', null)],
  };

  it('has the times that are asked for', () => {
    const both = toVerboseJson(transcript, {
      task: 'transcribe',
      granularities: new Set(['word', 'segment'] as const),
    });
    const words = toVerboseJson(transcript, { task: 'transcribe', granularities: new Set(['word'] as const) });

    expect(both).toMatchObject({ task: 'transcribe', language: 'en', duration: 12.346, text: 'Hello.' });
    expect(both['segments']).toEqual([expect.objectContaining({ id: 0, start: 0, end: 1.5, text: 'Hello.' })]);
    expect(words['words']).toEqual([{ word: 'Hello', start: 0, end: 1.5 }]);
    expect(words).not.toHaveProperty('segments');
    expect(toDiarizedJson(transcript)['segments']).toEqual([
      expect.objectContaining({ id: 'seg_0', speaker: 'unknown' }),
    ]);
  });
});

/** The beginnings of the cues that ffmpeg reads. */
function cues(format: string, text: string): string[] {
  const args = ['-v', 'error', '-f', format, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', 'pipe:0'];
  return execFileSync('ffprobe', args, { input: text, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function segment(start: number, end: number, text: string, speaker: string | null): TranscriptSegment {
  const words = [{ word: text.replace(/\W/g, ''), display: text, start, end, confidence: null, speaker }];
  return { start, end, text, speaker, words, lowConfidence: false };
}
