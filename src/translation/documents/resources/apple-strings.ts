import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { fromLinedText, hasLetters, toLinedText } from '../formats/inline-parts.js';
import { replaceUnit, textFormat } from '../formats/splices.js';

const SKIPPED = /(?:\s|\/\*[^]*?\*\/|\/\/[^\r\n]*)*/y;
/** A quoted string, or one of characters that need no quotes. */
const STRING = /"((?:[^"\\]|\\[^])*)"|[\w$./:-]+/y;
const SIGN = /[=;]/y;
const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const NAMES = new Map(Object.entries(CONTROLS).map(([name, control]) => [control, name]));

/** Tables of strings of Apple's platforms: values; keys and comments are what they were. */
export const appleStrings = textFormat(async function* readStrings(text, edit) {
  for (const { start, end, raw, isKey } of valuesOf(text)) {
    const value = unescape(raw);
    if (!hasLetters(value)) continue;
    const lined = toLinedText(value);
    const write = (unit: typeof lined.unit) => `${isKey ? ' = ' : ''}"${escape(fromLinedText(unit, lined))}"`;
    const splice = await replaceUnit({ start, end, unit: lined.unit, write }, edit);
    if (splice) yield splice;
  }
});

/** A value; a key that stands alone is its own value, and one is written behind it. */
interface StringValue {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly isKey: boolean;
}

/** @throws ExtractionFailed malformed */
function* valuesOf(text: string): Generator<StringValue, void, undefined> {
  let place = 0;
  const take = (what: RegExp): RegExpExecArray => {
    what.lastIndex = place;
    const found = what.exec(text);
    if (!found) throw new ExtractionFailed('malformed');
    place += found[0].length;
    return found;
  };
  for (take(SKIPPED); place < text.length; take(SKIPPED)) {
    const key = take(STRING);
    const keyEnd = place;
    take(SKIPPED);
    if (take(SIGN)[0] === ';') {
      yield { start: keyEnd, end: keyEnd, raw: key[1] ?? key[0], isKey: true };
      continue;
    }
    take(SKIPPED);
    const { 0: whole, 1: raw = whole, index: start } = take(STRING);
    yield { start, end: place, raw, isKey: false };
    take(SKIPPED);
    if (take(SIGN)[0] !== ';') throw new ExtractionFailed('malformed');
  }
}

function unescape(raw: string): string {
  return raw.replaceAll(/\\(?:u([\da-f]{4})|([0-7]{1,3})|([^]))/gi, (_, code?: string, octal?: string, sign = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return CONTROLS[sign as string] ?? (sign as string);
  });
}

function escape(value: string): string {
  return value.replaceAll(/["\\]|\p{Cc}/gu, (character) => {
    const name = /["\\]/.test(character) ? character : NAMES.get(character);
    return name === undefined ? character : `\\${name}`;
  });
}
