import { isAsciiLetter, isDigit, isWordUnit } from '../../../platform/text/normalization/word-characters.js';

/** The longest part before the @ (RFC 5321, section 4.5.3.1.1). */
const LONGEST_LOCAL_PART = 64;
/** The longest domain (RFC 5321, section 4.5.3.1.2) and the longest of its labels (RFC 1035, section 2.3.4). */
const LONGEST_DOMAIN = 255;
const LONGEST_LABEL = 63;

const DOT = 46;
const HYPHEN = 45;
/** What is in local parts beside letters and digits; quoted ones and what looks like the syntax around are not read. */
const LOCAL_SIGNS = new Set([..."._%+-'"].map((sign) => sign.charCodeAt(0)));

/** Answers where the local part begins that ends before a place, or that place if there is none. */
export function findLocalPart(text: string, end: number): number {
  const limit = Math.max(0, end - LONGEST_LOCAL_PART);
  let start = end;
  while (start > limit && isLocalUnit(text.charCodeAt(start - 1))) {
    if (text.charCodeAt(start - 1) === DOT && text.charCodeAt(start) === DOT) break;
    start -= 1;
  }
  while (start < end && !isWordUnit(text.charCodeAt(start)) && text.charAt(start) !== '_') start += 1;
  return start;
}

/**
 * Answers where the domain ends that begins at a place: labels with dots between them, the last with two or more
 * letters and nothing else; -1 where there is none.
 * @returns `open` where it could go on behind what is known
 */
export function findDomainEnd(text: string, start: number, isFinal: boolean): number | 'open' {
  let end = -1;
  let label = start;
  while (label - start <= LONGEST_DOMAIN) {
    let at = label;
    while (at < text.length && at - label <= LONGEST_LABEL && isLabelUnit(text.charCodeAt(at))) at += 1;
    if (at === text.length && !isFinal && at - start <= LONGEST_DOMAIN) return 'open';
    if (at === label || at - label > LONGEST_LABEL || at - start > LONGEST_DOMAIN) return end;
    if (label > start) end = Math.max(end, findTopLevelEnd(text, label, at));
    if (text.charCodeAt(at) !== DOT) return end;
    label = at + 1;
  }
  return end;
}

/** Where letters end that can be a top-level domain, or all of a label that is one in Punycode; -1 where none does. */
function findTopLevelEnd(text: string, start: number, end: number): number {
  if (/^xn--[a-z\d]/i.test(text.slice(start, start + 5))) return end;
  let at = start;
  while (at < end && isWordUnit(text.charCodeAt(at)) && !isDigit(text.charCodeAt(at))) at += 1;
  const isWhole = at === end || text.charCodeAt(at) === HYPHEN;
  return at - start >= 2 && isWhole ? at : -1;
}

function isLocalUnit(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || LOCAL_SIGNS.has(code) || (code > 127 && isWordUnit(code));
}

function isLabelUnit(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || code === HYPHEN || (code > 127 && isWordUnit(code));
}
