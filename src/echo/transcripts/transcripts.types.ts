import type { AudioSpan } from '../../platform/audio/audio.types.js';

/** A word where somebody speaks, on the time of the whole recording. */
export interface TranscriptWord extends AudioSpan {
  readonly word: string;
  /** What of the engine's text belongs to it: itself with its punctuation and the blank behind it. */
  readonly display: string;
  /** From 0 to 1; null where the engine tells none. */
  readonly confidence: number | null;
  /** Null: nobody who is told from others. */
  readonly speaker: string | null;
}

/** A stretch of text, on the time of the whole recording. */
export interface TranscriptSegment extends AudioSpan {
  readonly text: string;
  readonly speaker: string | null;
  /** Null where the engine tells no words. */
  readonly words: readonly TranscriptWord[] | null;
  /** Whether the engine repeated itself there, also when it was asked again, or told times that cannot be. */
  readonly lowConfidence: boolean;
}

/** How exactly an engine told when something was said. */
export type Timing = 'words' | 'segments' | 'none';

/** A stretch of a recording as it stands in a chunk's file. */
export interface ChunkPiece extends AudioSpan {
  /** Where it begins in the file, in seconds. */
  readonly at: number;
}

/** What is given to an engine at once: stretches of speech with what is around them, put together in one file. */
export interface Chunk {
  /** From 0, in the order of the recording. */
  readonly index: number;
  /** In order; silence of GAP_SECONDS stands between them in the file. None: the whole file, which nobody has decoded. */
  readonly pieces: readonly ChunkPiece[];
  /** Where somebody speaks in the recording, cut as the detection has told. */
  readonly spans: readonly AudioSpan[];
  /** Of the file. */
  readonly seconds: number;
}

/** What an engine said to a chunk, on the time of the whole recording, without what lies where nobody speaks. */
export interface PlacedChunk {
  readonly timing: Timing;
  readonly language: string | null;
  readonly segments: readonly TranscriptSegment[];
  /** Words, or segments where there are no words, that were left out since nobody speaks there. */
  readonly dropped: number;
  /** Whether the engine repeats itself. */
  readonly isLoop: boolean;
  /** Whether it told times that cannot be, so that nobody knows where all of it was said; default: it did not. */
  readonly hasFalseTimes?: boolean;
  /** Of a file that nobody has decoded: how long it is, as the engine tells; undefined: it does not, or it is known. */
  readonly durationSeconds?: number;
}

/** What was said in a recording. */
export interface Transcript {
  readonly language: string | null;
  /** Null: the audio was not decoded, and the engine has not told. */
  readonly durationSeconds: number | null;
  readonly timing: Timing;
  readonly text: string;
  readonly segments: readonly TranscriptSegment[];
}
