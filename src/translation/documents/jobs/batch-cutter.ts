import type { InlineText } from '../../units/inline-text.js';

/** So much is asked for together: as many different texts, or UTF-16 units of them, as an engine takes in one call. */
export const BATCH = { units: 32, characters: 3_000 } as const;

/** So many texts a batch has at most, however many of them are equal, and so many UTF-16 units. */
const MOST_UNITS = 1_000;
const MOST_CHARACTERS = 64 * 1024;

/** Cuts the texts of a document into batches, in their order. Equal ones of a batch count once: they are asked for once. */
export class BatchCutter {
  private units: InlineText[] = [];
  private readonly seen = new Set<string>();
  private characters = 0;
  private allCharacters = 0;

  /** @returns the batch before the text, where that does not fit in any more */
  add(unit: InlineText): readonly InlineText[] | undefined {
    const size = charactersOf(unit);
    const key = JSON.stringify(unit);
    const isNew = !this.seen.has(key);
    const isFull =
      this.units.length >= MOST_UNITS ||
      this.allCharacters + size > MOST_CHARACTERS ||
      (isNew && (this.seen.size >= BATCH.units || this.characters + size > BATCH.characters));
    const batch = isFull ? this.take() : undefined;
    this.units.push(unit);
    this.allCharacters += size;
    if (!this.seen.has(key)) this.characters += size;
    this.seen.add(key);
    return batch;
  }

  /** @returns what is left; undefined: nothing */
  take(): readonly InlineText[] | undefined {
    const { units } = this;
    this.units = [];
    this.seen.clear();
    [this.characters, this.allCharacters] = [0, 0];
    return units.length > 0 ? units : undefined;
  }
}

/** UTF-16 units of a text and its context, and a few for each mark. */
export function charactersOf(unit: InlineText): number {
  return unit.reduce(
    (sum, part) => sum + (part.kind === 'text' ? part.text.length + (part.context?.length ?? 0) : 4),
    0,
  );
}
