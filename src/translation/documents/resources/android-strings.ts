import { hasLetters, plainText } from '../formats/inline-parts.js';
import { toMarkedText, toPieces } from '../formats/marked-text.js';
import type { MarkedPiece } from '../formats/marked-text.js';
import { replaceUnit, textFormat } from '../formats/splices.js';
import type { TextUnit } from '../formats/splices.js';
import { contentPieces, ElementContent, placedTokens, writeContent } from './xml-texts.js';
import type { PlacedToken } from './xml-texts.js';

/** What is written in place of a control, and what a line break or a tab must come back as. */
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
/** `@string/name` and `?attr/name` are values of others. */
const REFERENCE = /^\s*[@?](?:[\w.:+*]+\/)?[\w.:+]+\s*$/;
const LISTS: ReadonlySet<string> = new Set(['string-array', 'plurals']);

/** Strings of Android: those that may be translated, with their items and plurals; names and comments are what they were. */
export const androidStrings = textFormat(async function* readStrings(text, edit) {
  for (const content of translatedElements(text)) {
    const unit = unitOf(content);
    if (!unit || !hasLetters(plainText(unit.unit))) continue;
    const splice = await replaceUnit(unit, edit);
    if (splice) yield splice;
  }
});

/** What each `<string>`, and each `<item>` of a list of strings, holds. */
function* translatedElements(text: string): Generator<readonly PlacedToken[], void, undefined> {
  let list: { readonly isKept: boolean } | undefined;
  let content: ElementContent | undefined;
  let isKept = false;
  for (const token of placedTokens(text)) {
    if (content) {
      if (!content.add(token)) continue;
      if (!isKept && content.tokens.length > 0) yield content.tokens;
      content = undefined;
    } else if (LISTS.has(token.name)) list = token.kind === 'open' ? { isKept: isFixed(token) } : undefined;
    else if (token.kind === 'open' && (token.name === 'string' || (list && token.name === 'item'))) {
      isKept = isFixed(token) || (list?.isKept ?? false);
      content = new ElementContent();
    }
  }
}

function isFixed({ attributes }: PlacedToken): boolean {
  return attributes['translatable'] === 'false';
}

function unitOf(content: readonly PlacedToken[]): TextUnit | undefined {
  const [first, last] = [content[0], content.at(-1)];
  if (!first || !last || REFERENCE.test(content.map(({ raw }) => raw).join(''))) return undefined;
  const isKept = ({ qualifiedName }: PlacedToken) => qualifiedName === 'xliff:g';
  const read = toMarkedText(contentPieces(content, { isKept, textPieces: textReader() }));
  // Blanks at the ends were between quotes where they count.
  const hasQuotes = content.some(({ raw }) => raw.includes('"'));
  const marked = hasQuotes ? { ...read, before: withBlanks(read.before), after: withBlanks(read.after) } : read;
  const write = (translation: typeof marked.unit): string | undefined => {
    const pieces = toPieces(translation, marked);
    return pieces && writeContent(pieces, content, escape).replace(/^([@?])/, String.raw`\$1`);
  };
  return { start: first.start, end: last.end, unit: marked.unit, write };
}

function withBlanks(markup: string): string {
  return markup.replaceAll(/^ +|(?<! ) +$/g, (blanks) => String.raw`\u0020`.repeat(blanks.length));
}

/** Reads escapes and quotes as Android does: white space is one blank but between quotes, which may go over several texts. */
function textReader(): (text: string) => MarkedPiece[] {
  let isQuoted = false;
  const read = (found: string): MarkedPiece => {
    const [sign, code] = [found.charAt(1), /^\\u[\da-f]{4}$/i.exec(found)];
    if (found === '"') {
      isQuoted = !isQuoted;
      return { kind: 'text', text: '' };
    }
    if (/^\s/.test(found)) return { kind: 'text', text: isQuoted ? found : ' ' };
    if (code) return { kind: 'text', text: String.fromCharCode(Number.parseInt(found.slice(2), 16)) };
    if (found.startsWith('\\') && sign in CONTROLS) return { kind: 'single', raw: found };
    return { kind: 'text', text: found.startsWith('\\') ? sign : found };
  };
  return (text) => joined((text.match(/\\u[\da-f]{4}|\\[^]|"|\s+|[^\\"\s]+|\\/gi) ?? []).map(read));
}

function joined(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const all: MarkedPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}

function escape(text: string): string {
  return text
    .replaceAll(/[\\'"]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(/ (?= )/g, String.raw`\u0020`);
}
