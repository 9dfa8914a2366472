import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { fromLinedText, hasLetters, toLinedText } from './inline-parts.js';
import type { TextUnit } from './splices.js';

const NOT_ASCII = /[\u0080-\uffff]/g;
/** What is escaped where JSON stands within HTML. */
const OF_HTML = ['<', '>', '&', "'"] as const;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
const COLON = /\s*:/y;

/** A string that is a value. */
interface StringValue {
  readonly start: number;
  readonly end: number;
  /** How many objects and lists it is in. */
  readonly depth: number;
  /** The last key of the outermost object before it. */
  readonly key: string;
}

/** @throws ExtractionFailed malformed */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExtractionFailed('malformed');
  }
}

/** Where strings stand that are no keys. @param text that is JSON */
export function* stringValues(text: string): Generator<StringValue, void, undefined> {
  let [depth, key] = [0, ''];
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (!isKey(text, end)) yield { start, end, depth, key };
    else if (depth === 1) key = JSON.parse(token) as string;
  }
}

function isKey(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}

/** Makes units of the strings of a text, which are written as those of the text are; undefined: without letters. */
export function stringUnits(text: string): (place: { start: number; end: number }) => TextUnit | undefined {
  // Whoever wrote no other characters could not.
  const isAscii = text.search(NOT_ASCII) < 0 && /\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text);
  // Neither may be written plainly where the file does not.
  const escaped = OF_HTML.filter((sign) => text.search(new RegExp(`\\${toEscape(sign)}`, 'i')) >= 0);
  const hasEscapedSlashes = text.includes('\\/');
  return ({ start, end }) => {
    const value = JSON.parse(text.slice(start, end)) as string;
    if (!hasLetters(value)) return undefined;
    const lined = toLinedText(value);
    const write = (unit: typeof lined.unit): string => {
      let written = JSON.stringify(fromLinedText(unit, lined));
      for (const sign of escaped) written = written.replaceAll(sign, toEscape(sign));
      if (hasEscapedSlashes) written = written.replaceAll('/', '\\/');
      return isAscii ? written.replaceAll(NOT_ASCII, toEscape) : written;
    };
    return { start, end, unit: lined.unit, write };
  };
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
