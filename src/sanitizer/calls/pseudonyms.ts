import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { MATCH_KINDS } from '../matching/match.types.js';
import type { MatchKind } from '../matching/match.types.js';

/** A pseudonym without its brackets, in whatever spelling a text may have it. */
const LITERAL = new RegExp(`\\b(${MATCH_KINDS.join('|')})\\\\{0,2}_(\\d{1,7})`, 'gi');
const NAME = /^([A-Z_]+)_(\d{1,7})$/;

/**
 * Which pseudonyms of one conversation stand for what. They are numbered by their kind, in the order in which the texts
 * they stand for are met; no number is given twice, and none that a text of the conversation has of itself.
 */
export class Pseudonyms {
  /** What was replaced in what the model reads, by the name of its pseudonym, such as `EMAIL_1`. */
  private readonly originals = new Map<string, string>();
  /** The same the other way round; what was replaced in what the model wrote also has a name. */
  private readonly names = new Map<string, string>();
  private readonly lastNumbers = new Map<string, number>();
  private readonly taken = new Set<string>();

  /**
   * @param texts all texts of the request; they are read where the first number is given
   * @param earlier what `toJSON` gave at the end of the call before
   */
  constructor(
    private texts: (() => Iterable<string>) | undefined,
    earlier?: unknown,
  ) {
    const { originals, last } = isJsonObject(earlier) ? earlier : {};
    for (const [name, original] of Object.entries(isJsonObject(originals) ? originals : {})) {
      const kind = NAME.exec(name)?.[1];
      if (kind === undefined || typeof original !== 'string') continue;
      this.originals.set(name, original);
      this.names.set(keyOf(kind, original), name);
    }
    for (const [kind, number] of Object.entries(isJsonObject(last) ? last : {})) {
      this.lastNumbers.set(kind, Number(number));
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

  /** The pseudonym of a text that the model is not to read; the same for the same text. */
  replaceInPrompt(kind: MatchKind, original: string): string {
    const name = this.nameOf(kind, original);
    this.originals.set(name, original);
    return `<${name}>`;
  }

  /** The pseudonym of a text that the model wrote; the text itself where the caller has sent it. */
  replaceInAnswer(kind: MatchKind, original: string): string {
    const name = this.nameOf(kind, original);
    return this.originals.has(name) ? original : `<${name}>`;
  }

  /** What the next call of the conversation needs to know; undefined: nothing. */
  toJSON(): JsonObject | undefined {
    if (this.lastNumbers.size === 0) return undefined;
    return { originals: Object.fromEntries(this.originals), last: Object.fromEntries(this.lastNumbers) };
  }

  private nameOf(kind: MatchKind, original: string): string {
    const prefix = kind.toUpperCase();
    const key = keyOf(prefix, original);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    this.reserveNumbers();
    let number = this.lastNumbers.get(prefix) ?? 0;
    do number += 1;
    while (this.taken.has(`${prefix}_${number}`));
    this.lastNumbers.set(prefix, number);
    const name = `${prefix}_${number}`;
    this.names.set(key, name);
    return name;
  }

  /** Keeps the numbers free that the texts of the request have of themselves. */
  private reserveNumbers(): void {
    for (const text of this.texts?.() ?? []) {
      for (const [, kind = '', number] of text.matchAll(LITERAL)) {
        this.taken.add(`${kind.toUpperCase()}_${Number(number)}`);
      }
    }
    this.texts = undefined;
  }
}

function keyOf(kind: string, original: string): string {
  return `${kind} ${original}`;
}
