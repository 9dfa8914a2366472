import { isIPv4, isIPv6 } from 'node:net';
import {
  isAsciiLetter,
  isDigit,
  isDigitAt,
  isWordUnitAt,
} from '../../../platform/text/normalization/word-characters.js';

/** The longest address: eight groups of four digits, or six of them and one of IPv4 (RFC 4291, section 2.2). */
const LONGEST_IPV6 = 45;
const LONGEST_IPV4 = 15;
const IPV4 = /\d{1,3}(?:\.\d{1,3}){3}/y;
const OPEN_IPV4 = /^\d{1,3}(?:\.\d{1,3}){0,3}\.?$/;
/** Versions in four parts look like addresses. */
const VERSION_WORD = /(?<![a-z])(?:versions?|ver\.?|v)["']?[ :=]{0,2}["']?$/i;
const VERSION_WORD_REACH = 16;
const COLON = 58;
const DOT = 46;

/** Where an address is; or `open`, where it could go on behind what is known; or null, where none is. */
export type FoundAddress = { readonly start: number; readonly end: number } | 'open' | null;

/**
 * Reads an IPv4 address that begins with the group of digits at a place; not a part of a longer row with dots, and no
 * version. Dots behind it, with no digit after the first, belong to the sentence.
 */
export function readIpv4(text: string, start: number, isFinal: boolean): FoundAddress {
  if (isWordUnitAt(text, start - 1) || (text.charCodeAt(start - 1) === DOT && isWordUnitAt(text, start - 2))) {
    return null;
  }
  if (!isFinal && text.length - start <= LONGEST_IPV4 + 1 && OPEN_IPV4.test(text.slice(start))) return 'open';
  IPV4.lastIndex = start;
  const address = IPV4.exec(text)?.[0] ?? '';
  const end = start + address.length;
  const goesOn = isWordUnitAt(text, end) || (text.charCodeAt(end) === DOT && isDigitAt(text, end + 1));
  return goesOn || !isIPv4(address) || isVersion(text, start) ? null : { start, end };
}

function isVersion(text: string, start: number): boolean {
  return VERSION_WORD.test(text.slice(Math.max(0, start - VERSION_WORD_REACH), start));
}

/** A row of hexadecimal digits and colons, with dots at its end. */
export interface HexadecimalRow {
  readonly found: FoundAddress;
  /** Where the row begins, and where it ends: there is no other address in it. */
  readonly start: number;
  readonly end: number;
}

/** Reads the IPv6 address that has the colon at a place in it. */
export function readIpv6(text: string, colon: number, isFinal: boolean): HexadecimalRow {
  let start = colon;
  while (start > 0 && colon - start <= LONGEST_IPV6 && isGroupUnit(text.charCodeAt(start - 1))) start -= 1;
  let end = colon;
  while (end < text.length && isGroupUnit(text.charCodeAt(end))) end += 1;
  // Only an IPv4 address has dots, none of them two, and it is the last part.
  while (end < text.length && (isDigitAt(text, end) || isSingleDot(text, end))) end += 1;
  const first = skipLabel(text, start, end, isFinal);
  const row = { start: first, end };
  if (colon - start > LONGEST_IPV6 || end - first > LONGEST_IPV6 + 1) return { ...row, found: null };
  if (end === text.length && !isFinal) return { ...row, found: 'open' };
  // A letter may follow the dot that ends a sentence.
  const goesOn = isWordUnitAt(text, end) && text.charCodeAt(end - 1) !== DOT;
  if (goesOn || isWordUnitAt(text, first - 1)) return { ...row, found: null };
  for (const address of [text.slice(first, end), text.slice(first, end).replace(/[:.]+$/, '')]) {
    if (isAddress(address)) return { ...row, found: { start: first, end: first + address.length } };
  }
  return { ...row, found: null };
}

/** Answers where the group begins that ends a text, if an IPv6 address can begin with it; otherwise the end. */
export function findHexadecimalEnd(text: string): number {
  let start = text.length;
  while (start > 0 && text.length - start <= 4 && isHexadecimal(text.charCodeAt(start - 1))) start -= 1;
  return text.length - start > 4 || isWordUnitAt(text, start - 1) ? text.length : start;
}

/** Says whether a UTF-16 unit is a hexadecimal digit. */
export function isHexadecimal(code: number): boolean {
  return isDigit(code) || (isAsciiLetter(code) && (code | 32) <= 102);
}

/** A word and a single colon may stand before an address, as in `host:2001:db8::1`. */
function skipLabel(text: string, start: number, end: number, isFinal: boolean): number {
  let at = start;
  const isLabel = isWordUnitAt(text, start - 1) || /^[\da-f]{5}/i.test(text.slice(start, start + 5));
  if (isLabel) while (at < end && text.charAt(at) !== ':') at += 1;
  if (at + 1 === text.length && !isFinal) return at;
  return text.charAt(at) === ':' && text.charAt(at + 1) !== ':' ? at + 1 : at;
}

/**
 * Names with two colons in programs, such as `add::all`, and slices, such as `::2`, are no addresses: of one or two
 * groups, the first has three digits or four, and a decimal one is anywhere.
 */
function isAddress(text: string): boolean {
  if (!isIPv6(text)) return false;
  const groups = text.split(':').filter((group) => group !== '');
  return groups.length >= 3 || text.includes('.') || /^(?=.*\d)[\da-f]{3,4}:/i.test(text);
}

function isSingleDot(text: string, at: number): boolean {
  return text.charCodeAt(at) === DOT && text.charCodeAt(at - 1) !== DOT;
}

function isGroupUnit(code: number): boolean {
  return isHexadecimal(code) || code === COLON;
}
