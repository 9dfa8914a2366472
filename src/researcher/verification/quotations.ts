import type { TextSpan } from '../../platform/text/text-span.js';

/** Marks of quotations; an apostrophe in a word is none. */
const MARK = /["“”„‟«»「」『』‘‚]|’(?!\p{L})/gu;
const SINGLE: ReadonlySet<string> = new Set(['‘', '‚', '’']);
const BEFORE_OPENING = /^[\s([{\p{Pd}"“„«»‘‚]?$/u;
const SAYS = /[\p{L}\p{N}]/u;

/** Says whether a text has a quotation. */
export function hasQuotation(text: string): boolean {
  return [...text.matchAll(MARK)].some(({ index }) => isOpening(text, index));
}

/**
 * Says whether a part of a paragraph lies within a quotation: a mark opens before its first word, and none closes before
 * its last. Whether a mark opens is told by what it stands beside, since languages use the same marks both ways.
 */
export function isWithinQuotation(paragraph: string, part: TextSpan): boolean {
  const said = paragraph.slice(part.start, part.end);
  const first = part.start + Math.max(0, said.search(SAYS));
  const last = part.end - (said.match(/[^\p{L}\p{N}]*$/u)?.[0].length ?? 0);
  const isOpen = { single: false, double: false };
  for (const { index, 0: mark } of paragraph.slice(0, last).matchAll(MARK)) {
    const kind = SINGLE.has(mark) ? 'single' : 'double';
    const opens = isOpening(paragraph, index);
    if (index < first || !opens) isOpen[kind] = opens;
  }
  return isOpen.single || isOpen.double;
}

function isOpening(text: string, at: number): boolean {
  const [mark, before, behind] = [text.charAt(at), text.slice(Math.max(0, at - 1), at), text.charAt(at + 1)];
  if ('「『'.includes(mark)) return true;
  if (behind === '' || '」』’”'.includes(mark)) return false;
  return BEFORE_OPENING.test(before) && (mark === '«' || !/\s/.test(behind));
}
