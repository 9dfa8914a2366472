import type { AudioSpan } from '../../platform/audio/audio.types.js';
import type { Chunk } from './transcripts.types.js';

/** Words may lie so far before and behind what the detection calls speech, in seconds: it hears beginnings and ends late. */
const BEFORE_SECONDS = 0.25;
const BEHIND_SECONDS = 0.1;
/** So much of a word, or of a long one so many seconds, must lie where somebody speaks. */
const LEAST_SHARE = 0.5;
const LEAST_SECONDS = 0.2;

/** Where what stands in a chunk's file stands in the recording. */
export class SpanTable {
  /**
   * What an engine is asked to listen to, in seconds of the file: the pieces with their margins. With the spans that the
   * detection has cut in short pauses engines hear two to four words in a hundred less.
   */
  readonly fileSpans: readonly AudioSpan[];
  private readonly speech: readonly AudioSpan[];

  constructor(private readonly chunk: Pick<Chunk, 'pieces' | 'spans'>) {
    this.fileSpans = chunk.pieces.map(({ start, end, at }) => ({ start: at, end: at + end - start }));
    this.speech = widened(chunk.spans);
  }

  /**
   * The stretch of the recording that a stretch of the file is; undefined where nobody speaks there. It begins and ends
   * within pieces: an end that lies in the silence between them is that of the piece before.
   * @param span in seconds of the file
   */
  place(span: AudioSpan): AudioSpan | undefined {
    const parts = overlaps(span, this.fileSpans).map(({ index, start: from, end: to }) => {
      const { start, at } = this.chunk.pieces[index] as Chunk['pieces'][number];
      return { start: start + from - at, end: start + to - at };
    });
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last) return undefined;
    const spoken = parts.flatMap((part) => overlaps(part, this.speech));
    const seconds = spoken.reduce((sum, { start, end }) => sum + end - start, 0);
    if (seconds < Math.min(LEAST_SECONDS, LEAST_SHARE * (span.end - span.start))) return undefined;
    // No further than where somebody speaks.
    return { start: spoken[0]?.start ?? first.start, end: spoken.at(-1)?.end ?? last.end };
  }
}

/** A part of a stretch, and in which other one it lies. */
interface Overlap extends AudioSpan {
  readonly index: number;
}

/** The parts of a stretch that lie in others, which are in order. */
function overlaps({ start, end }: AudioSpan, spans: readonly AudioSpan[]): Overlap[] {
  const found: Overlap[] = [];
  for (let index = firstBehind(spans, start); index < spans.length; index += 1) {
    const span = spans[index] as AudioSpan;
    if (span.start >= end) break;
    found.push({ index, start: Math.max(start, span.start), end: Math.min(end, span.end) });
  }
  return found;
}

/** The first span that ends behind this time, by halving. */
function firstBehind(spans: readonly AudioSpan[], time: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function widened(spans: readonly AudioSpan[]): AudioSpan[] {
  const wide: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = wide.at(-1);
    const from = Math.max(0, start - BEFORE_SECONDS);
    if (last && from <= last.end) last.end = end + BEHIND_SECONDS;
    else wide.push({ start: from, end: end + BEHIND_SECONDS });
  }
  return wide;
}
