import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toDiarizedJson, toVerboseJson } from '../../../src/echo/transcripts/formats/openai-json.js';
import { PlainText } from '../../../src/echo/transcripts/formats/plain-text.js';
import { toSrt } from '../../../src/echo/transcripts/formats/srt.js';
import { toVtt } from '../../../src/echo/transcripts/formats/vtt.js';
import { toSegments } from '../../../src/echo/transcripts/segments.js';
import { onFfmpeg } from '../../support/servers/services.js';
import type { TranscriptSegment } from '../../../src/echo/transcripts/transcripts.types.js';

const CUE = /^[\d:,.]+ --> [\d:,.]+$/gm;
const SPEECH =
  'The committee met on Monday to discuss the harbour of Veldmark, its north pier, and the question of who has kept the lighthouse since the storm of the last winter.';

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

  it.each([
    ['words between blanks', SPEECH, 3],
    ['a language without blanks', '今天天气很好我们去公园玩你来吗'.repeat(8), 2],
    ['what has no place to break', 'x'.repeat(100), 2],
  ])('have two lines of 42 characters at most: %s', (_what, text, count) => {
    const spoken = [{ ...segment(10, 20, text, 'S1'), words: null }];

    for (const file of [toSrt(spoken, { S1: 'Ann' }), toVtt(spoken, { S1: 'Ann' })]) {
      const shown = file.split(/\n\n/).flatMap((cue) => {
        const lines = cue
          .replace(/<v Ann>/, '')
          .split('\n')
          .filter(Boolean);
        return lines.some((line) => line.includes(' --> ')) ? [lines.slice(lines.findIndex(isTime) + 1)] : [];
      });
      expect(shown).toHaveLength(count);
      expect(Math.max(...shown.map((lines) => lines.length))).toBe(2);
      expect(Math.max(...shown.flat().map((line) => line.length))).toBeLessThanOrEqual(42);
      expect(shown.flat().join('').replace('Ann:', '').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });

  it('begin with their words, and where these have no times, by their share of the segment', () => {
    const said = SPEECH.split(' ');
    const words = said.map((word, index) => timed(word, index === said.indexOf('kept') ? 19 : 10 + index / 10));
    const long = segment(10, 20, SPEECH, 'S1');

    const byWords = toSrt([{ ...long, words }], { S1: 'Ann' });
    const byShare = toSrt([{ ...long, words: null }]);

    expect(byWords).toContain('00:00:19,000 --> 00:00:20,000\nkept the lighthouse');
    expect([...byShare.matchAll(CUE)].map(([cue]) => cue)).toEqual([
      expect.stringMatching(/^00:00:10,000 --> 00:00:13,\d{3}$/),
      expect.stringMatching(/^00:00:13,\d{3} --> 00:00:16,\d{3}$/),
      expect.stringMatching(/^00:00:16,\d{3} --> 00:00:20,000$/),
    ]);
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
        for (const [format, text] of [
          ['srt', toSrt(spoken)],
          ['webvtt', toVtt(spoken)],
        ] as const) {
          expect(cues(format, text)).toHaveLength(text.match(CUE)?.length ?? 0);
        }
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

describe('a text for people', () => {
  it('has a paragraph behind a pause, and behind a sentence where one speaks for long', () => {
    const sentence = 'We have spoken of the harbour and of its north pier for a long time.';
    const spoken = Array.from({ length: 12 }, (_, index) => segment(index * 5, index * 5 + 4.8, sentence, null));
    const late = segment(90, 92, 'Lunch is at noon.', null);

    const paragraphs = new PlainText().add([...spoken, late]).split('\n\n');

    expect(paragraphs.map((text) => text.split('.').length - 1)).toEqual([9, 3, 1]);
    expect(paragraphs.join(' ')).toBe([...spoken, late].map(({ text }) => text).join(' '));
  });

  it('has a line for each speaker, over pages', () => {
    const text = new PlainText({ S1: 'Ann' });

    const first = text.add([segment(0, 1, 'Hello.', 'S1'), segment(1, 2, 'Here I am.', 'S1')]);
    const second = text.add([segment(2, 3, 'Hello.', 'S2'), segment(9, 10, 'Goodbye.', 'S2')]);

    expect(first + second).toBe('Ann: Hello. Here I am.\nS2: Hello.\n\nGoodbye.');
  });
});

describe('segments of words', () => {
  it('end with sentences, and not behind an abbreviation', () => {
    const text = 'Yesterday evening we met with Dr. Smith and with Mr. Jones. They left.';
    const words = text.split(' ').map((word, index) => timed(word, index / 2));

    expect(toSegments(words).map((found) => found.text)).toEqual([
      'Yesterday evening we met with Dr. Smith and with Mr. Jones.',
      'They left.',
    ]);
  });
});

function isTime(line: string): boolean {
  return line.includes(' --> ');
}

function timed(word: string, start: number) {
  return { word, display: `${word} `, start, end: start + 0.4, confidence: null, speaker: null };
}

/** The beginnings of the cues that ffmpeg reads. */
function cues(format: string, text: string): string[] {
  const args = ['-v', 'error', '-f', format, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', 'pipe:0'];
  return execFileSync('ffprobe', args, { input: text, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function segment(start: number, end: number, text: string, speaker: string | null): TranscriptSegment {
  const words = [{ word: text.replace(/\W/g, ''), display: text, start, end, confidence: null, speaker }];
  return { start, end, text, speaker, words, lowConfidence: false };
}
