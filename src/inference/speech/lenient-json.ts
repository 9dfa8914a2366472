import { parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { MEBIBYTE } from '../../platform/config/variables.js';

/** Longer answers are taken as JSON or not at all: what an engine says of five minutes is much shorter. */
const MOST_BYTES = 4 * MEBIBYTE;
/** What Python writes and JSON does not have. */
const NO_NUMBERS = ['NaN', '-Infinity', 'Infinity'];
const STARTS = new Set(NO_NUMBERS.map((name) => name.charCodeAt(0)));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The object that bytes hold as JSON, in which numbers that are none (`NaN`, `Infinity`), as servers in Python write
 * them, are null; undefined where they hold anything else. Linear in their length.
 */
export function parseLenientJson(bytes: Buffer): JsonObject | undefined {
  const parsed = parseJsonObject(bytes);
  if (parsed || bytes.length > MOST_BYTES) return parsed;
  const mended = withoutNoNumbers(bytes);
  return mended && parseJsonObject(mended);
}

/** The bytes with nulls; undefined where there is nothing to replace, or a string does not end. */
function withoutNoNumbers(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let copied = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at < 0) return undefined;
      continue;
    }
    const name = STARTS.has(byte) ? NO_NUMBERS.find((one) => isAt(bytes, at, one)) : undefined;
    if (name === undefined) {
      at += 1;
      continue;
    }
    parts.push(bytes.subarray(copied, at), Buffer.from('null'));
    at += name.length;
    copied = at;
  }
  return parts.length === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(copied)]);
}

/** Behind the string that begins at a quote; -1 where it does not end. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return -1;
}

function isAt(bytes: Buffer, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}
