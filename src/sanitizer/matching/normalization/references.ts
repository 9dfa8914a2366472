import { decodeHTMLStrict } from 'entities';

/** Some characters of a text that are written as one reference, such as `&commat;`. */
export interface Reference {
  /** What it stands for. */
  readonly value: string;
  /** How many UTF-16 units it takes. */
  readonly length: number;
}

/** The longest reference in UTF-16 units: more are never looked at to decide. */
const LONGEST_REFERENCE = 40;

const ENTITY = /&(?:#(\d{1,8}|[xX][\da-fA-F]{1,7});?|[a-zA-Z][a-zA-Z\d]{1,31};)/y;
const OPEN_ENTITY = /^&(?:#(?:\d{0,8}|[xX][\da-fA-F]{0,7})|[a-zA-Z][a-zA-Z\d]{0,31})?$/;
const ESCAPE = /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|(["\\/bfnrt]))/y;
const OPEN_ESCAPE =
  /^\\(?:u(?:[\da-fA-F]{0,3}|[dD][89abAB][\da-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][\da-fA-F]?)?)?)?)?))?$/;
const PERCENT = /%(40|2[bBdDeE]|5[fF])/y;
const OPEN_PERCENT = /^%[245]?$/;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Reads the reference that begins at a place with `&` (HTML entity), `\` (JSON escape, RFC 8259) or `%` (`@`, `.`, `-`,
 * `+` and `_` in percent-encoding, RFC 3986).
 * @returns `open` where the end of what is known leaves it undecided, and null where there is none
 */
export function readReference(text: string, at: number, isFinal: boolean): Reference | 'open' | null {
  const sign = text[at];
  const isNearEnd = !isFinal && text.length - at < LONGEST_REFERENCE;
  const isOpen = sign === '&' ? OPEN_ENTITY : sign === '\\' ? OPEN_ESCAPE : OPEN_PERCENT;
  if (isNearEnd && isOpen.test(text.slice(at))) return 'open';
  if (sign === '&') return readEntity(text, at);
  return sign === '\\' ? readEscape(text, at) : readPercent(text, at);
}

function readEntity(text: string, at: number): Reference | null {
  ENTITY.lastIndex = at;
  const found = ENTITY.exec(text);
  if (!found) return null;
  const written = found[0];
  // In HTML the semicolon of a number may be missing.
  const value = decodeHTMLStrict(written.endsWith(';') ? written : `${written};`);
  return value === written ? null : { value, length: written.length };
}

function readEscape(text: string, at: number): Reference | null {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(text);
  if (!found) return null;
  const [written, high, low, unit, sign = ''] = found;
  const units = high !== undefined && low !== undefined ? [high, low] : unit !== undefined ? [unit] : [];
  const value =
    units.length > 0 ? String.fromCharCode(...units.map((hex) => parseInt(hex, 16))) : (CONTROLS[sign] ?? sign);
  return { value, length: written.length };
}

function readPercent(text: string, at: number): Reference | null {
  PERCENT.lastIndex = at;
  const found = PERCENT.exec(text);
  return found ? { value: String.fromCharCode(parseInt(found[1] ?? '', 16)), length: 3 } : null;
}
