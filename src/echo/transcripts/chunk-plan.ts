import type { AudioSpan } from '../../platform/audio/audio.types.js';
import type { Chunk, ChunkPiece } from './transcripts.types.js';

/** What is kept of the audio around speech, in seconds: beginnings and ends of words are soft. */
const MARGIN_SECONDS = 0.25;
/** Shorter pauses stay as they are. */
const KEPT_PAUSE_SECONDS = 1;
/** Silence between two pieces of a file, in seconds. */
export const GAP_SECONDS = 0.3;
/** A chunk is cut at the longest pause of its last part: that from this share of its length on. */
const CUT_FROM = 0.6;
/** So long is a chunk at most, whatever the engine takes: a crash repeats one. */
const LONGEST_SECONDS = 300;
/** Of 16 kHz PCM of 16 bits. */
const BYTES_A_SECOND = 32_000;
const HEAD_BYTES = 4_096;
/** Time that belongs to no piece, for rounding. */
const SLACK_SECONDS = 0.05;

/** What an engine takes at once. */
export interface ChunkLimits {
  readonly maxSeconds: number;
  readonly maxBytes: number;
}

/**
 * Cuts speech into chunks that an engine takes, in pauses, the longest ones first; long silence is left out.
 * @param spans where somebody speaks, in order, without overlap
 * @param durationSeconds of the whole audio
 * @returns none where nobody speaks
 */
export function planChunks(spans: readonly AudioSpan[], durationSeconds: number, limits: ChunkLimits): Chunk[] {
  const most = Math.min(LONGEST_SECONDS, limits.maxSeconds, (limits.maxBytes - HEAD_BYTES) / BYTES_A_SECOND);
  const longest = Math.max(1, most - SLACK_SECONDS);
  const short = spans.flatMap((span) => split(span, longest - 2 * MARGIN_SECONDS));
  const chunks: Chunk[] = [];
  for (let first = 0; first < short.length;) {
    const end = cutPlace(short, first, { durationSeconds, longest });
    const own = short.slice(first, end);
    const before = short[first - 1]?.end ?? 0;
    const after = short[end]?.start ?? durationSeconds;
    const pieces = toPieces(own, before, after);
    chunks.push({ index: chunks.length, pieces, spans: own, seconds: secondsOf(pieces) });
    first = end;
  }
  return chunks;
}

/** Where a chunk that begins at `first` ends: behind its last span. */
function cutPlace(
  spans: readonly AudioSpan[],
  first: number,
  { durationSeconds, longest }: { readonly durationSeconds: number; readonly longest: number },
): number {
  const length = new FileLength(spans[first] as AudioSpan, durationSeconds);
  let end = first + 1;
  for (; end < spans.length; end += 1) {
    length.add(spans[end] as AudioSpan);
    if (length.seconds > longest) break;
  }
  if (end === spans.length) return end;
  const from = spans[first]?.start ?? 0;
  const earliest = from + ((spans[end - 1]?.end ?? from) - from) * CUT_FROM;
  let best = end;
  for (let place = end; place > first + 1 && (spans[place - 1]?.end ?? 0) >= earliest; place -= 1) {
    if (pauseBefore(spans, place) > pauseBefore(spans, best)) best = place;
  }
  return best;
}

function pauseBefore(spans: readonly AudioSpan[], index: number): number {
  return (spans[index]?.start ?? 0) - (spans[index - 1]?.end ?? 0);
}

/** A span that alone is too long is cut where it is. */
function split({ start, end }: AudioSpan, longest: number): AudioSpan[] {
  const count = Math.ceil((end - start) / longest);
  const step = (end - start) / count;
  return Array.from({ length: count }, (_, index) => ({
    start: start + index * step,
    end: index === count - 1 ? end : start + (index + 1) * step,
  }));
}

/** How long the file of some spans is, as `toPieces` puts them together, while one after another is added. */
class FileLength {
  private closedSeconds = 0;
  private from: number;
  private end: number;

  constructor(
    { start, end }: AudioSpan,
    private readonly durationSeconds: number,
  ) {
    this.from = withMargin(start, -1, 0);
    this.end = end;
  }

  get seconds(): number {
    return this.closedSeconds + withMargin(this.end, 1, this.durationSeconds) - this.from;
  }

  add({ start, end }: AudioSpan): void {
    if (start - this.end >= KEPT_PAUSE_SECONDS) {
      this.closedSeconds += withMargin(this.end, 1, start) - this.from + GAP_SECONDS;
      this.from = withMargin(start, -1, this.end);
    }
    this.end = end;
  }
}

function secondsOf(pieces: readonly ChunkPiece[]): number {
  const last = pieces.at(-1);
  return last ? last.at + last.end - last.start : 0;
}

/** Spans with their margins, which reach no further than the middle of a pause; together where pauses are short. */
function toPieces(spans: readonly AudioSpan[], before: number, after: number): ChunkPiece[] {
  const joined: { start: number; end: number }[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.start - last.end < KEPT_PAUSE_SECONDS) last.end = span.end;
    else joined.push({ ...span });
  }
  let at = 0;
  return joined.map(({ start, end }, index) => {
    const from = withMargin(start, -1, index === 0 ? before : (joined[index - 1]?.end ?? 0));
    const to = withMargin(end, 1, joined[index + 1]?.start ?? after);
    const piece = { start: from, end: to, at };
    at += to - from + GAP_SECONDS;
    return piece;
  });
}

function withMargin(edge: number, direction: 1 | -1, neighbour: number): number {
  return edge + direction * Math.max(0, Math.min(MARGIN_SECONDS, Math.abs(neighbour - edge) / 2));
}
