import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';
import type { MatchKind } from './matching/match.types.js';
import { MOST_NUMBER_DIGITS, PseudonymNumbers } from './pseudonym-numbers.js';

/** How much of the request is read at once. */
const SLICE_CHARACTERS = 8_192;
/** More than a pseudonym may have. */
const OVERLAP_CHARACTERS = 64;
/** What a text counts for beside its characters. */
const TEXT_CHARACTERS = 16;

const NAME = new RegExp(`^([A-Z_]+)_(\\d{1,${MOST_NUMBER_DIGITS}})$`);

/**
 * Which pseudonyms of one conversation stand for what. They are numbered by their kind, in the order in which the texts
 * they stand for are met; no number is given twice, and none that a text of the conversation has of itself.
 */
export class Pseudonyms {
  /** What was replaced in what the model reads, by the name of its pseudonym, such as `EMAIL_1`. */
  private readonly originals = new Map<string, string>();
  /** The same the other way round; what was replaced in what the model wrote also has a name. */
  private readonly names = new Map<string, string>();
  private readonly numbers: PseudonymNumbers;
  /** What is left to read of the request; undefined: nothing. */
  private slices: Iterator<string, void> | undefined;

  /**
   * @param texts all texts of the request; they are read by `reserveNext`, or else where the first number is given
   * @param earlier what `toJSON` gave at the end of the call before
   */
  constructor(texts: Iterable<string>, earlier?: unknown) {
    this.slices = slicesOf(texts);
    this.numbers = new PseudonymNumbers(earlier);
    const { originals } = isJsonObject(earlier) ? earlier : {};
    for (const [name, original] of Object.entries(isJsonObject(originals) ? originals : {})) {
      const kind = NAME.exec(name)?.[1];
      if (kind === undefined || typeof original !== 'string') continue;
      this.originals.set(name, original);
      this.names.set(keyOf(kind, original), name);
    }
  }

  /** Whether there is nothing to restore. */
  get isEmpty(): boolean {
    return this.originals.size === 0;
  }

  /** The names of what can be restored. */
  get restorable(): ReadonlyMap<string, string> {
    return this.originals;
  }

  /** Whether the whole request has been read for the numbers that it has of itself. */
  get isReserved(): boolean {
    return this.slices === undefined;
  }

  /** Keeps the numbers free that the next part of the request has: little of it at once, since it may be long. */
  reserveNext(): void {
    for (let characters = 0; this.slices && characters < SLICE_CHARACTERS;) {
      const { value: text } = this.slices.next();
      if (text === undefined) this.slices = undefined;
      else this.numbers.reserve(text);
      characters += TEXT_CHARACTERS + (text?.length ?? 0);
    }
  }

  /** Keeps the numbers free that a text has which the model writes. @returns what is to be called with each piece */
  reserveInAnswer(): (piece: string) => void {
    return this.numbers.reserveIn();
  }

  /** The pseudonym of a text that the model is not to read; the same for the same text. */
  replaceInPrompt(kind: MatchKind, original: string): string {
    const name = this.nameOf(kind, original);
    this.originals.set(name, original);
    return `<${name}>`;
  }

  /** The pseudonym of a text that the model wrote; undefined where the caller has sent it, so that it may stay. */
  replaceInAnswer(kind: MatchKind, original: string): string | undefined {
    const name = this.nameOf(kind, original);
    return this.originals.has(name) ? undefined : `<${name}>`;
  }

  /** What the next call of the conversation needs to know; undefined: nothing. */
  toJSON(): JsonObject | undefined {
    const numbers = this.numbers.toJSON();
    return numbers && { ...numbers, originals: Object.fromEntries(this.originals) };
  }

  private nameOf(kind: MatchKind, original: string): string {
    const prefix = kind.toUpperCase();
    const key = keyOf(prefix, original);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    while (!this.isReserved) this.reserveNext();
    const name = `${prefix}_${this.numbers.next(prefix)}`;
    this.names.set(key, name);
    return name;
  }
}

/** Texts, the long ones in slices; a slice begins before the end of the one before, so that nothing is cut for both. */
function* slicesOf(texts: Iterable<string>): Generator<string, void> {
  for (const text of texts) {
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      yield text.slice(Math.max(0, start - OVERLAP_CHARACTERS), start + SLICE_CHARACTERS);
    }
  }
}

function keyOf(kind: string, original: string): string {
  return `${kind} ${original}`;
}
