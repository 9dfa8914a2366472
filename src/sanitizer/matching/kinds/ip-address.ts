import { isIPv4, isIPv6 } from 'node:net';
import { isDigitAt, isWordUnitAt } from '../normalization/word-characters.js';

/** The longest address: eight groups of four digits, or six of them and one of IPv4 (RFC 4291, section 2.2). */
const LONGEST_IPV6 = 45;
const LONGEST_IPV4 = 15;

/** Where an address is; or `open`, where it could go on behind what is known; or null, where none is. */
export type FoundAddress = { readonly start: number; readonly end: number } | 'open' | null;

/** Reads an IPv4 address that begins with the group of digits at a place; not a part of a longer row with dots. */
export function readIpv4(text: string, start: number, isFinal: boolean): FoundAddress {
  if (isWordUnitAt(text, start - 1) || (text.charAt(start - 1) === '.' && isWordUnitAt(text, start - 2))) return null;
  let end = start;
  while (end < text.length && end - start <= LONGEST_IPV4 && (isDigitAt(text, end) || text.charAt(end) === '.'))
    end += 1;
  // A dot at the end may belong to the sentence.
  if (end === text.length && !isFinal) return isBeginning(text.slice(start, end)) ? 'open' : null;
  const address = text.slice(start, end).replace(/\.$/, '');
  return isIPv4(address) && !isWordUnitAt(text, end) ? { start, end: start + address.length } : null;
}

function isBeginning(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){0,3}\.?$/.test(text);
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
  // Only an IPv4 address has dots, and it is the last part.
  while (end < text.length && (isDigitAt(text, end) || text.charAt(end) === '.')) end += 1;
  const first = skipLabel(text, start, end, isFinal);
  const row = { start: first, end };
  if (colon - start > LONGEST_IPV6 || end - first > LONGEST_IPV6 + 1) return { ...row, found: null };
  if (end === text.length && !isFinal) return { ...row, found: 'open' };
  if (isWordUnitAt(text, end) || isWordUnitAt(text, first - 1)) return { ...row, found: null };
  for (const address of [text.slice(first, end), text.slice(first, end).replace(/[:.]+$/, '')]) {
    if (isAddress(address)) return { ...row, found: { start: first, end: first + address.length } };
  }
  return { ...row, found: null };
}

/** A word and a single colon may stand before an address, as in `host:2001:db8::1`. */
function skipLabel(text: string, start: number, end: number, isFinal: boolean): number {
  let at = start;
  const isLabel = isWordUnitAt(text, start - 1) || /^[\da-f]{5}/i.test(text.slice(start, start + 5));
  if (isLabel) while (at < end && text.charAt(at) !== ':') at += 1;
  if (at + 1 === text.length && !isFinal) return at;
  return text.charAt(at) === ':' && text.charAt(at + 1) !== ':' ? at + 1 : at;
}

/** Names with two colons in programs, such as `add::all`, and slices, such as `::2`, are no addresses. */
function isAddress(text: string): boolean {
  if (!isIPv6(text)) return false;
  const groups = text.split(':').filter((group) => group !== '');
  return groups.length >= 3 || text.includes('.') || (groups.length > 0 && /^(?=.*\d)[\da-f]{3,4}:/i.test(text));
}

/** A hexadecimal digit or a colon. */
function isGroupUnit(code: number): boolean {
  return (code >= 48 && code <= 58) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}
