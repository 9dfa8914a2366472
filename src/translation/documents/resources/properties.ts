import { fromLinedText, hasLetters, toLinedText } from '../formats/inline-parts.js';
import { replaceUnit, textFormat } from '../formats/splices.js';

/** A key and what separates it from its value, and the value, which goes on behind a backslash at the end of a line. */
const ENTRY = /^([ \t\f]*(?![#!\s])(?:\\[^]|[^\\:=\s])+[ \t\f]*(?:[:=][ \t\f]*)?)((?:\\(?:\r\n|[^])|[^\\\r\n])*)/gm;
const ESCAPE = /\\(?:(?:\r\n|\r|\n)[ \t\f]*|u([\da-f]{4})|([^]))/gi;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };
const NAMES = new Map(Object.entries(CONTROLS).map(([name, control]) => [control, name]));

/** In `MessageFormat` two apostrophes are one, and one begins a quotation. A text with arguments and a lone one is none. */
const MESSAGE_FORMAT = /^(?=[^]*\{\d)(?:[^']|'')*$/;

/** Resource bundles of Java (`Properties.load`): values; keys and comments are what they were. */
export const properties = textFormat(async function* readProperties(text, edit, charset) {
  // Older programs read ISO 8859-1 alone; what a file of ASCII gets is read by them, too.
  const isPlain = charset.startsWith('utf-') && /[^\0-\x7f]/.test(text);
  for (const { 0: whole, 1: key = '', 2: raw = '', index } of text.matchAll(ENTRY)) {
    const value = unescape(raw);
    if (!hasLetters(value)) continue;
    const isMessage = MESSAGE_FORMAT.test(value);
    const lined = toLinedText(isMessage ? value.replaceAll("''", "'") : value);
    const write = (unit: typeof lined.unit): string => {
      const translated = fromLinedText(unit, lined);
      return escape(isMessage ? translated.replaceAll("'", "''") : translated, isPlain);
    };
    const place = { start: index + key.length, end: index + whole.length };
    const splice = await replaceUnit({ ...place, unit: lined.unit, write }, edit);
    if (splice) yield splice;
  }
});

function unescape(raw: string): string {
  return raw.replaceAll(ESCAPE, (_, code?: string, character?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return character === undefined ? '' : (CONTROLS[character] ?? character);
  });
}

function escape(value: string, isPlain: boolean): string {
  const escaped = value.replaceAll(/^ |[\\\n\t\r\f]/g, (character) => `\\${NAMES.get(character) ?? character}`);
  if (isPlain) return escaped;
  return escaped.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
