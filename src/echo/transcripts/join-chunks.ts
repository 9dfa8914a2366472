import { textOf } from './segments.js';
import type { PlacedChunk, Timing, Transcript } from './transcripts.types.js';

const WORST: readonly Timing[] = ['none', 'segments', 'words'];

/**
 * Puts what was said in the chunks of a recording together.
 * @param chunks in order; those that have failed for good are left out
 * @param durationSeconds as decoded; null: nobody has decoded it, and what the engine tells is believed
 */
export function joinChunks(chunks: readonly PlacedChunk[], durationSeconds: number | null): Transcript {
  const segments = chunks
    .flatMap(({ segments: placed, isLoop, hasFalseTimes = false }) =>
      placed.map((segment) => ({ ...segment, lowConfidence: isLoop || hasFalseTimes })),
    )
    .sort((one, other) => one.start - other.start);
  return {
    language: chunks.find(({ language }) => language !== null)?.language ?? null,
    durationSeconds:
      durationSeconds ?? chunks.find((chunk) => chunk.durationSeconds !== undefined)?.durationSeconds ?? null,
    timing: worstTiming(chunks),
    text: textOf(segments.map(({ text }) => `${text} `)),
    segments,
  };
}

/** How exactly chunks are timed: as the worst of them that says anything. */
export function worstTiming(chunks: readonly PlacedChunk[]): Timing {
  return (
    WORST.find((timing) => chunks.some((chunk) => chunk.timing === timing && chunk.segments.length > 0)) ?? 'words'
  );
}
