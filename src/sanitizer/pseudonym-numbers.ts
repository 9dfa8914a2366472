import { isJsonObject } from '../platform/json/json-object.js';
import type { JsonObject } from '../platform/json/json-object.js';
import { MATCH_KINDS } from './matching/match.types.js';

/** What a pseudonym may have in it, as models write them: escapes, spaces and emphasis. */
const PADDING = '[\\\\\\s*`]{0,8}';
/** Digits that the number of a pseudonym may have: more than those of texts, behind which it is given. */
export const MOST_NUMBER_DIGITS = 9;
/** The end of a pseudonym, which few texts have. */
const NUMBER = new RegExp(`_${PADDING}(\\d{1,7})`, 'g');
/** What is before its number, without the last `_`. */
const KIND = new RegExp(`(${MATCH_KINDS.join('|').replaceAll('_', `${PADDING}_${PADDING}`)})${PADDING}$`, 'i');
/** More characters than a pseudonym may have: so much before a place is looked at, and read again behind a cut. */
const LONGEST_PSEUDONYM = 64;
/** Numbers of a kind that are remembered one by one. */
const MOST_REMEMBERED = 1_000;

/**
 * The numbers of the pseudonyms of one conversation, by their kind in capitals. None is given twice, and none that a text
 * of the conversation has of itself, in whatever spelling.
 */
export class PseudonymNumbers {
  private readonly last = new Map<string, number>();
  private readonly taken = new Map<string, Set<number>>();

  /** @param earlier what `toJSON` gave at the end of the call before */
  constructor(earlier: unknown) {
    const { last, taken } = isJsonObject(earlier) ? earlier : {};
    for (const [kind, number] of entriesOf(last)) this.last.set(kind, Number(number));
    for (const [kind, numbers] of entriesOf(taken)) {
      this.taken.set(kind, new Set(Array.isArray(numbers) ? numbers.map(Number) : []));
    }
  }

  /** Keeps the numbers free that a text has. */
  reserve(text: string): void {
    if (!text.includes('_')) return;
    for (const { index, 1: number } of text.matchAll(NUMBER)) {
      const kind = KIND.exec(text.slice(Math.max(0, index - LONGEST_PSEUDONYM), index))?.[1];
      if (kind !== undefined) this.take(kind.replace(/[^a-z_]/gi, '').toUpperCase(), Number(number));
    }
  }

  /** Reads a text that comes in pieces. @returns what is to be called with each piece */
  reserveIn(): (piece: string) => void {
    let end = '';
    return (piece) => {
      const text = end + piece;
      this.reserve(text);
      end = text.slice(-LONGEST_PSEUDONYM);
    };
  }

  /** Gives the next number of a kind. */
  next(kind: string): number {
    const taken = this.taken.get(kind);
    let number = this.last.get(kind) ?? 0;
    do number += 1;
    while (taken?.has(number));
    this.last.set(kind, number);
    return number;
  }

  /** What the next call of the conversation needs to know; undefined: nothing. Where it is too much, numbers are left out. */
  toJSON(): JsonObject | undefined {
    const last = new Map(this.last);
    const taken = new Map<string, number[]>();
    for (const [kind, numbers] of this.taken) {
      const later = [...numbers].filter((number) => number > (last.get(kind) ?? 0));
      if (later.length > MOST_REMEMBERED)
        last.set(
          kind,
          later.reduce((most, number) => Math.max(most, number)),
        );
      else if (later.length > 0) taken.set(kind, later);
    }
    if (last.size === 0 && taken.size === 0) return undefined;
    return { last: Object.fromEntries(last), taken: Object.fromEntries(taken) };
  }

  private take(kind: string, number: number): void {
    const taken = this.taken.get(kind) ?? new Set();
    this.taken.set(kind, taken.add(number));
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
