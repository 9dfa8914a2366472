import { placeAnswer } from '../../../src/echo/transcripts/answer-placement.js';
import { planChunks } from '../../../src/echo/transcripts/chunk-plan.js';
import { joinChunks } from '../../../src/echo/transcripts/join-chunks.js';
import { wordsOf } from '../../../src/echo/transcripts/formats/openai-json.js';
import type { Chunk, TranscriptWord } from '../../../src/echo/transcripts/transcripts.types.js';
import { openAudio, wavOf } from '../../support/builders/audio.js';
import type { AudioBed } from '../../support/builders/audio.js';
import type { Proof } from '../proof.js';
import { SECONDS, SOUNDS, withSpeech } from './sounds.js';

/** So far from speech a word may lie, in seconds. */
const TOLERANCE = 0.5;
const EVERY_SECONDS = 30;
const LIMITS = { maxSeconds: 300, maxBytes: 25_000_000 };

/** What an engine that always says something, everywhere, gets into a transcript. */
export interface Heard {
  readonly spans: number;
  readonly calls: number;
  readonly words: readonly TranscriptWord[];
}

/** Has audio transcribed by an engine that makes words up, two a second, wherever it is asked to listen. */
export async function hear(bed: AudioBed, samples: Buffer): Promise<Heard> {
  const { spans, durationSeconds } = await bed.decode(wavOf(samples));
  const chunks = planChunks(spans, durationSeconds, LIMITS);
  const transcript = joinChunks(
    chunks.map((chunk) => placeAnswer(hallucination(chunk), chunk)),
    durationSeconds,
  );
  return { spans: spans.length, calls: chunks.length, words: wordsOf(transcript.segments) };
}

function hallucination({ seconds }: Chunk) {
  const words = Array.from({ length: Math.floor(seconds * 2) }, (_, index) => ({
    word: ['Thanks', 'for', 'watching'][index % 3] ?? '',
    start: index / 2,
    end: index / 2 + 0.4,
    confidence: null,
  }));
  return { text: words.map(({ word }) => word).join(' '), language: 'en', words, segments: null };
}

/** Nothing is heard where nobody speaks. */
export const speechDetection: Proof = {
  name: 'speech-detection',
  about:
    'ten minutes of silence, hum, music, noise and clicks, with and without speech, by an engine that always invents',
  async run(_bed, { seed }) {
    using bed = await openAudio();
    const lines: string[] = [];
    const problems: string[] = [];
    for (const [name, make] of Object.entries(SOUNDS)) {
      const sound = make(SECONDS, seed);
      const alone = await hear(bed, sound);
      const { samples, spans } = withSpeech(sound, EVERY_SECONDS, seed);
      const { words } = await hear(bed, samples);
      const isNear = (word: TranscriptWord): boolean =>
        spans.some(({ start, end }) => word.start > start - TOLERANCE && word.end < end + TOLERANCE);
      const far = words.filter((word) => !isNear(word)).length;
      const found = spans.filter(({ start, end }) => words.some((word) => word.start < end && word.end > start)).length;
      lines.push(
        `| ${name} | ${alone.spans} | ${alone.calls} | ${alone.words.length} | ${found} of ${spans.length} | ${far} |`,
      );
      if (alone.words.length > 0) problems.push(`${name}: ${alone.words.length} words where nobody speaks.`);
      if (far > 0) problems.push(`${name} with speech: ${far} words further than ${TOLERANCE} s from it.`);
    }
    return { report: report(seed, lines), problems };
  },
};

function report(seed: number, lines: readonly string[]): string {
  return [
    '# Words where nobody speaks',
    '',
    `Seed ${seed}. Ten minutes of each sound, and the same with a sentence in every ${EVERY_SECONDS} s, are transcribed by an`,
    'engine that invents two words a second wherever it is asked to listen. Alone: spans that were taken for speech, calls of',
    'the engine, words in the transcript; none may be there. With speech: sentences that have words, and words that lie further',
    `than ${TOLERANCE} s from a sentence. The speech has -14 to -19 dB of full scale, brown noise and hum`,
    '-17, the other noises -26 to -30, music and clicks -35. Music of -20 dB gave no word by itself either, but hid 19 of 20',
    'sentences.',
    '',
    '| Sound | Spans | Calls | Words | Sentences with words | Words elsewhere |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
