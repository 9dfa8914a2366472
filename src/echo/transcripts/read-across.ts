import type { CallOwner } from '../../access/caller.js';
import { ContentBlocked } from '../../errors.js';
import { transformTranscript, writeWhole } from '../../inference/domain.js';
import type { CallContext, Models, TextTransform } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { alignText } from './text-alignment.js';
import type { PlacedChunk, TranscriptSegment, TranscriptWord } from './transcripts.types.js';

/** No match of a policy is longer, in UTF-16 units. */
const LONGEST_MATCH = 4_096;

/** What was said in a part. */
type Said = Pick<PlacedChunk, 'segments'>;

/** Who has something transcribed, and by which model. */
export interface AcrossCall {
  readonly caller: CallOwner;
  readonly model: string;
  readonly context: CallContext;
}

/** Reads what was said over the border of two chunks, each of which was read by itself. */
export class AcrossReader {
  private constructor(private readonly newTransform: () => TextTransform | undefined) {}

  /** @returns undefined where no policy reads answers */
  static of(models: Pick<Models, 'transformOf'>, { caller, model, context }: AcrossCall): AcrossReader | undefined {
    // One for each border: what it may take is bounded.
    const newTransform = (): TextTransform | undefined => {
      const transform = models.transformOf(caller, { area: 'echo', request: { model }, context });
      return transform && (transform.endPrompt?.() ?? true) ? transform : undefined;
    };
    return newTransform() && new AcrossReader(newTransform);
  }

  /** Chunks in their order, each held back until the next one is there. @throws ContentBlocked; what the source throws */
  async *read(chunks: AsyncIterable<PlacedChunk>): AsyncGenerator<PlacedChunk, void, undefined> {
    let held: PlacedChunk | undefined;
    for await (const chunk of chunks) {
      const [first, second] = held ? await this.together(held, chunk) : [undefined, chunk];
      if (first) yield first;
      held = second;
    }
    if (held) yield held;
  }

  /** Both without what is found only where they are read together. @throws ContentBlocked */
  async together<First extends Said, Second extends Said>(
    first: First,
    second: Second,
  ): Promise<readonly [First, Second]> {
    const [left, right] = [textOf(first), textOf(second)];
    if (left === '' || right === '') return [first, second];
    // Engines end a sentence where the sound ends: `ada@example.` and `com`.
    for (const blank of left.endsWith('.') ? [' ', ''] : [' ']) {
      const isFound = await this.isFoundAcross(left.slice(-LONGEST_MATCH), right.slice(0, LONGEST_MATCH), blank);
      if (isFound) return this.changed(first, second, left + blank + right);
    }
    return [first, second];
  }

  private async changed<First extends Said, Second extends Said>(first: First, second: Second, text: string) {
    const segments = [...first.segments, ...second.segments];
    const answer: JsonObject = { text, segments: segments.map(toAnswer) };
    const transform = this.newTransform();
    if (transform) await transformTranscript(answer, transform);
    const changed = objectsOf(answer.segments).map((one, index) =>
      withTexts(segments[index] as TranscriptSegment, one),
    );
    const isSaid = ({ text }: TranscriptSegment): boolean => text !== '';
    const border = first.segments.length;
    return [
      { ...first, segments: changed.slice(0, border).filter(isSaid) },
      { ...second, segments: changed.slice(border).filter(isSaid) },
    ] as const;
  }

  private async isFoundAcross(left: string, right: string, blank: string): Promise<boolean> {
    let apart: string;
    try {
      apart = (await this.change(left)) + blank + (await this.change(right));
    } catch (error) {
      // Each has passed by itself: this is what a policy has put there, in which another one finds something.
      if (error instanceof ContentBlocked) return false;
      throw error;
    }
    return (await this.change(left + blank + right)) !== apart;
  }

  private async change(text: string): Promise<string> {
    const transform = this.newTransform();
    return transform ? writeWhole(transform.beginAnswer('text', true), text, new CooperativeYield()) : text;
  }
}

function textOf({ segments }: Said): string {
  return segments.map(({ text }) => text).join(' ');
}

/** A segment as engines tell it. */
function toAnswer({ text, start, end, words }: TranscriptSegment): JsonObject {
  if (!words) return { text, start, end };
  const told = words.map(({ word, confidence, ...span }) => ({ word, confidence, start: span.start, end: span.end }));
  return { text, start, end, words: told };
}

/** A segment with the texts of what it has become. */
function withTexts(segment: TranscriptSegment, { text, words }: JsonObject): TranscriptSegment {
  const said = String(text);
  if (said === segment.text) return segment;
  const left = segment.words && Array.isArray(words) ? (objectsOf(words) as unknown as TranscriptWord[]) : null;
  const displays =
    left &&
    alignText(
      said,
      left.map(({ word }) => word),
    );
  const { speaker } = segment;
  return {
    ...segment,
    text: said,
    words: left && left.map((word, index) => ({ ...word, display: displays?.[index] ?? '', speaker })),
  };
}
