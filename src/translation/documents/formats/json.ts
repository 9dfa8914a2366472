import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { hasLetters, fromLinedText, toLinedText } from './inline-parts.js';
import { replaceUnit, textFormat } from './splices.js';

const NOT_ASCII = /[\u0080-\uffff]/g;
/** What is escaped where JSON stands within HTML. */
const OF_HTML = ['<', '>', '&', "'"] as const;

/** Values that are strings; keys, numbers and white space are what they were. */
export const json = textFormat(async function* readJson(text, edit) {
  requireJson(text);
  // Whoever wrote no other characters could not.
  const isAscii = text.search(NOT_ASCII) < 0 && /\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text);
  // Neither may be written plainly where the file does not.
  const escaped = OF_HTML.filter((sign) => text.search(new RegExp(`\\${toEscape(sign)}`, 'i')) >= 0);
  const hasEscapedSlashes = text.includes('\\/');
  for (const { start, end } of stringValues(text)) {
    const value = JSON.parse(text.slice(start, end)) as string;
    if (!hasLetters(value)) continue;
    const lined = toLinedText(value);
    const write = (unit: typeof lined.unit): string => {
      let written = JSON.stringify(fromLinedText(unit, lined));
      for (const sign of escaped) written = written.replaceAll(sign, toEscape(sign));
      if (hasEscapedSlashes) written = written.replaceAll('/', '\\/');
      return isAscii ? written.replaceAll(NOT_ASCII, toEscape) : written;
    };
    const splice = await replaceUnit({ start, end, unit: lined.unit, write }, edit);
    if (splice) yield splice;
  }
});

function requireJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new ExtractionFailed('malformed');
  }
}

/** Where strings stand that are no keys. */
function* stringValues(text: string): Generator<{ start: number; end: number }, void, undefined> {
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = start + 1;
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    end += 1;
    let next = end;
    while (/\s/.test(text[next] ?? 'x')) next += 1;
    if (text[next] !== ':') yield { start, end };
    start = text.indexOf('"', end);
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
