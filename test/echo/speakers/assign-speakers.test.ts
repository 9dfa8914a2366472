import { describe, expect, it } from '@jest/globals';
import { assignSpeakers } from '../../../src/echo/speakers/assign-speakers.js';
import { tellSpeakers } from '../../../src/echo/speakers/tell-speakers.js';
import { toSegment } from '../../../src/echo/transcripts/segments.js';
import type { TranscriptSegment } from '../../../src/echo/transcripts/transcripts.types.js';
import { openAudio, silence, wavOf } from '../../support/builders/audio.js';

const TURNS = [
  { start: 0, end: 2, speaker: 'S1' },
  { start: 2.3, end: 4, speaker: 'S2' },
  { start: 4.2, end: 4.8, speaker: null },
];

describe('who said what', () => {
  it('is told word by word, and cuts a segment that swallows several speakers', () => {
    const words = [
      word('How', 0.1, 0.5),
      word('far?', 0.6, 2.1),
      word('Ten', 2.2, 3),
      word('miles.', 3, 4),
      word('Mm', 4.3, 4.7),
    ];

    const { segments } = assignSpeakers(transcript([toSegment(words, true)]), TURNS);

    expect(segments.map(({ speaker, text, lowConfidence }) => [speaker, text, lowConfidence])).toEqual([
      ['S1', 'How far?', true],
      ['S2', 'Ten miles.', true],
      [null, 'Mm', true],
    ]);
  });

  it('is whoever speaks longest in a segment without words', () => {
    const segment = { start: 1.5, end: 4, text: 'Ten miles.', speaker: null, words: null, lowConfidence: false };

    expect(assignSpeakers(transcript([segment]), TURNS).segments).toEqual([{ ...segment, speaker: 'S2' }]);
  });

  it('is nobody where nobody speaks near', () => {
    const { segments } = assignSpeakers(transcript([toSegment([word('Thanks', 9, 9.5)])]), TURNS);

    expect(segments[0]?.speaker).toBeNull();
  });

  it('is nobody in a recording without speech', async () => {
    using bed = await openAudio();
    const { wavPath, spans } = await bed.decode(wavOf(silence(2)));
    const signal = new AbortController().signal;

    expect(await tellSpeakers(bed.audio.children, { wavPath, spans, signal })).toEqual([]);
    const [short] = await tellSpeakers(bed.audio.children, { wavPath, spans: [{ start: 0.5, end: 1 }], signal });
    expect(short).toEqual({ start: 0.5, end: 1, speaker: null });
  });
});

function word(text: string, start: number, end: number) {
  return { word: text, display: `${text} `, start, end, confidence: null, speaker: null };
}

function transcript(segments: TranscriptSegment[]) {
  return { language: null, durationSeconds: 10, timing: 'words' as const, text: '', segments };
}
