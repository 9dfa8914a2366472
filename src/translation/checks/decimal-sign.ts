import type { LanguageTag } from '../languages/language-tag.js';

/** Languages whose countries do not agree. */
const DISAGREEING: ReadonlySet<string> = new Set(['ar', 'es']);

const signs = new Map<string, string | undefined>();
const MOST_KNOWN = 500;

/** What stands before the fraction of a number in a language; undefined where that is not known. */
export function decimalSignOf(tag: LanguageTag | undefined): string | undefined {
  if (!tag || (DISAGREEING.has(tag.language) && tag.tag === tag.language)) return undefined;
  if (signs.has(tag.tag)) return signs.get(tag.tag);
  if (signs.size === MOST_KNOWN) signs.clear();
  const sign = readSign(tag.tag);
  signs.set(tag.tag, sign);
  return sign;
}

function readSign(tag: string): string | undefined {
  if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return undefined;
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(1.5);
  const sign = parts.find(({ type }) => type === 'decimal')?.value;
  return sign === '.' || sign === ',' ? sign : undefined;
}
