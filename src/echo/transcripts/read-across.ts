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

/** Reads what was said over the borders of chunks, each of which was read by itself. */
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
    let told: readonly TranscriptSegment[] = [];
    let held: PlacedChunk | undefined;
    for await (const chunk of chunks) {
      if (!held) {
        held = chunk;
        continue;
      }
      const [first, second] = await this.together([held, chunk], told);
      if (first) yield first;
      told = lastSaid([...told, ...(first?.segments ?? [])]);
      held = second;
    }
    if (held) yield held;
  }

  /**
   * Adds a part to those before it: what is found only where they are read together is changed in all of them.
   * @param told what was said before all of these, and cannot be changed any more
   * @throws ContentBlocked; then nothing is added
   */
  async add<Part extends Said>(parts: Part[], part: Part, told: readonly TranscriptSegment[] = []): Promise<void> {
    const from = startOfLast(parts, ({ segments }) => textOf(segments));
    parts.splice(from, Infinity, ...(await this.together([...parts.slice(from), part], from === 0 ? told : [])));
  }

  /** Parts without what is found only where the last of them is read together with what was said before. */
  private async together<Part extends Said>(
    parts: readonly Part[],
    told: readonly TranscriptSegment[],
  ): Promise<readonly Part[]> {
    const segments = [...told, ...parts.flatMap((part) => part.segments)];
    const border = segments.length - (parts.at(-1)?.segments.length ?? 0);
    const [left, right] = [textOf(segments.slice(0, border)), textOf(segments.slice(border))];
    if (left === '' || right === '') return parts;
    // Engines end a sentence where the sound ends: `ada@example.` and `com`.
    for (const blank of left.endsWith('.') ? [' ', ''] : [' ']) {
      const isFound = await this.isFoundAcross(left.slice(-LONGEST_MATCH), right.slice(0, LONGEST_MATCH), blank);
      if (!isFound) continue;
      const changed = await this.changed(segments, left + blank + right);
      const own = changed.slice(told.length).values();
      return parts.map((part) => ({ ...part, segments: own.take(part.segments.length).toArray().filter(isSaid) }));
    }
    return parts;
  }

  private async changed(segments: readonly TranscriptSegment[], text: string): Promise<TranscriptSegment[]> {
    const answer: JsonObject = { text, segments: segments.map(toAnswer) };
    const transform = this.newTransform();
    if (transform) await transformTranscript(answer, transform);
    return objectsOf(answer.segments).map((one, index) => withTexts(segments[index] as TranscriptSegment, one));
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

/** The last segments, in which all of a match stands that goes on behind them. */
export function lastSaid(segments: readonly TranscriptSegment[]): readonly TranscriptSegment[] {
  return segments.slice(startOfLast(segments, ({ text }) => text));
}

/** Where the last items begin that have the characters of the longest match together. */
function startOfLast<Item>(items: readonly Item[], textOfItem: (item: Item) => string): number {
  let characters = 0;
  const first = items.findLastIndex((item) => {
    characters += textOfItem(item).length + 1;
    return characters > LONGEST_MATCH;
  });
  return Math.max(0, first);
}

function isSaid({ text }: TranscriptSegment): boolean {
  return text !== '';
}

function textOf(segments: readonly TranscriptSegment[]): string {
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
