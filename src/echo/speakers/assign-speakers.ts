import type { AudioSpan } from '../../platform/audio/audio.types.js';
import { toSegments } from '../transcripts/segments.js';
import type { Transcript, TranscriptSegment, TranscriptWord } from '../transcripts/transcripts.types.js';
import type { SpeakerTurn } from './speakers.types.js';

/** A word so far from all speech of somebody is nobody's, in seconds. */
const FARTHEST_SECONDS = 0.5;

/**
 * Says who said what: each word by itself, and segments end where the speaker changes. A segment without words is that of
 * whoever speaks longest in it.
 * @param transcript with times of words or segments
 * @param turns in order
 */
export function assignSpeakers(transcript: Transcript, turns: readonly SpeakerTurn[]): Transcript {
  return { ...transcript, segments: transcript.segments.flatMap((segment) => withSpeakers(segment, turns)) };
}

function withSpeakers(segment: TranscriptSegment, turns: readonly SpeakerTurn[]): TranscriptSegment[] {
  const { words, lowConfidence } = segment;
  if (!words || words.length === 0) return [{ ...segment, speaker: speakerOf(segment, turns) }];
  const assigned = words.map((word): TranscriptWord => ({ ...word, speaker: speakerOf(word, turns) }));
  // One group: nothing but the speaker cuts what the engine has put together.
  return toSegments(
    assigned,
    assigned.map(() => 0),
  ).map((part) => ({ ...part, lowConfidence }));
}

/** Whoever speaks longest in a stretch, or next to it. */
function speakerOf({ start, end }: AudioSpan, turns: readonly SpeakerTurn[]): string | null {
  const seconds = new Map<string | null, number>();
  let [nearest, distance] = [null as string | null, FARTHEST_SECONDS];
  for (let index = firstNear(turns, start - FARTHEST_SECONDS); index < turns.length; index += 1) {
    const turn = turns[index] as SpeakerTurn;
    if (turn.start > end + FARTHEST_SECONDS) break;
    const common = Math.min(end, turn.end) - Math.max(start, turn.start);
    if (common > 0) seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + common);
    else if (-common < distance) [nearest, distance] = [turn.speaker, -common];
  }
  const [longest] = [...seconds].sort(([, one], [, other]) => other - one);
  return longest ? longest[0] : nearest;
}

/** The first turn that ends behind a time, by halving. */
function firstNear(turns: readonly SpeakerTurn[], time: number): number {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle]?.end ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
