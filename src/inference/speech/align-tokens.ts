import { lettersOf } from './letters-of.js';

/** What stands in the place of some tokens, at least one. */
export interface AlignedTokens {
  readonly text: string;
  /** Of the first of them. */
  readonly from: number;
  /** Behind the last of them. */
  readonly to: number;
}

/** How far a place is looked for at which two lists go on alike. */
const WINDOW = 200;
/** Tokens in a row that must be alike there: one alone may be a word that stands everywhere. */
const ALIKE = 2;

/**
 * Tells which tokens of a changed list stand for which of the original, where a few have been replaced: what is alike but
 * for signs and case stands for itself, and what stands between is one entry. Tokens for which nothing is left are left
 * out. What is told is of the changed list.
 */
export function alignTokens(originals: readonly string[], changes: readonly string[]): AlignedTokens[] {
  const [original, changed] = [originals.map(lettersOf), changes.map(lettersOf)];
  const aligned: AlignedTokens[] = [];
  let from = 0;
  let at = 0;
  while (from < original.length) {
    if (original[from] === changed[at]) {
      aligned.push({ text: changes[at] as string, from, to: from + 1 });
      from += 1;
      at += 1;
      continue;
    }
    const next = findAlike(original, from, changed, at);
    const text = changes.slice(at, next.changed).join(' ');
    if (text !== '') aligned.push({ text, from, to: next.original });
    from = next.original;
    at = next.changed;
  }
  return aligned;
}

/** The nearest place at which both lists go on alike; their ends where there is none. */
function findAlike(
  original: readonly string[],
  from: number,
  changed: readonly string[],
  at: number,
): { readonly original: number; readonly changed: number } {
  for (let distance = 1; distance <= WINDOW; distance += 1) {
    // Something was replaced: so at least one token of the original is gone.
    for (let gone = 1; gone <= distance; gone += 1) {
      const place = { original: from + gone, changed: at + distance - gone };
      if (isAlike(original, place.original, changed, place.changed)) return place;
    }
  }
  return { original: original.length, changed: changed.length };
}

function isAlike(original: readonly string[], from: number, changed: readonly string[], at: number): boolean {
  if (from >= original.length || at >= changed.length) return from >= original.length && at >= changed.length;
  for (let index = 0; index < ALIKE; index += 1) {
    if (from + index >= original.length && at + index >= changed.length) return true;
    if (original[from + index] !== changed[at + index]) return false;
  }
  return true;
}
