import type { AnswerText, TextFormat } from '../../inference/domain.js';
import { MATCH_KINDS } from '../matching/match.types.js';
import { MOST_NUMBER_DIGITS } from '../pseudonym-numbers.js';

/** How the brackets of a pseudonym may be written, and how what replaces it is written then. */
interface Bracket {
  readonly open: string;
  readonly close: string;
  readonly escape: (text: string) => string;
  /** Whether `escape` is that of JSON already. */
  readonly isJson?: boolean;
}

const asItIs = (text: string): string => text;
const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Plain, in JSON and in JSON of JSON, in Markdown, in HTML, in a URL, and in full width. */
const BRACKETS: readonly Bracket[] = [
  { open: '<', close: '>', escape: asItIs },
  { open: '\\\\u003c', close: '\\\\u003e', escape: (text) => asJson(asJson(text)), isJson: true },
  { open: '\\u003c', close: '\\u003e', escape: asJson, isJson: true },
  { open: '\\\\<', close: '\\\\>', escape: asItIs },
  { open: '\\<', close: '\\>', escape: asItIs },
  { open: '&lt;', close: '&gt;', escape: asHtml },
  { open: '&#60;', close: '&#62;', escape: asHtml },
  { open: '&#x3c;', close: '&#x3e;', escape: asHtml },
  { open: '%3c', close: '%3e', escape: (text) => encodeURIComponent(text.toWellFormed()) },
  { open: '＜', close: '＞', escape: asItIs },
];
/** Where a pseudonym may begin. */
const BEGINNING = /[<\\&%＜]/g;
/** What models put into a pseudonym: escapes, spaces and emphasis. */
const PADDING = /[\\\s*`]/;
const MAX_PADDING = 8;
const NUMBER = new RegExp(`^\\d{0,${MOST_NUMBER_DIGITS}}$`);
/** Of all kinds, whichever a call has: an answer of many texts must not go through all pseudonyms for each of them. */
const PREFIXES = MATCH_KINDS.map((kind) => `${kind.toUpperCase()}_`);

/** What stands at a place of a text: a pseudonym, what could become one with the text that follows, or neither. */
type Reading = Ended | 'open' | 'none';

interface Ended {
  readonly end: number;
  /** What takes its place. */
  readonly text: string;
}

/**
 * Puts the originals in the place of pseudonyms in a text that a model writes, however it spells them: cut into pieces,
 * in another case, or escaped for JSON, HTML, Markdown or a URL. Pseudonyms that were never given stay as they are.
 */
export class PseudonymRestorer implements AnswerText {
  private heldText = '';

  /** @param originals by the names of their pseudonyms, such as `EMAIL_1` */
  constructor(
    private readonly originals: ReadonlyMap<string, string>,
    private readonly format: TextFormat,
  ) {}

  get held(): string {
    return this.heldText;
  }

  write(piece: string): string {
    return this.restore(this.heldText + piece, false);
  }

  end(): string {
    return this.restore(this.heldText, true);
  }

  private restore(text: string, hasEnded: boolean): string {
    let restored = '';
    let start = 0;
    BEGINNING.lastIndex = 0;
    for (let found = BEGINNING.exec(text); found; found = BEGINNING.exec(text)) {
      const reading = this.read(text, found.index);
      if (reading === 'open' && !hasEnded) {
        this.heldText = text.slice(found.index);
        return restored + text.slice(start, found.index);
      }
      if (typeof reading === 'string') continue;
      restored += text.slice(start, found.index) + reading.text;
      start = reading.end;
      BEGINNING.lastIndex = start;
    }
    this.heldText = '';
    return restored + text.slice(start);
  }

  private read(text: string, start: number): Reading {
    let isOpen = false;
    for (const bracket of BRACKETS) {
      const opened = readLiteral(text, start, bracket.open);
      const reading = typeof opened === 'number' ? this.readName(text, opened, bracket) : opened;
      if (typeof reading !== 'string') return reading;
      isOpen ||= reading === 'open';
    }
    return isOpen ? 'open' : 'none';
  }

  /** @param start behind the bracket that opens it */
  private readName(text: string, start: number, bracket: Bracket): Reading {
    let name = '';
    let padding = 0;
    for (let at = start; at < text.length; at += 1) {
      const original = this.originals.get(name);
      const closed = original === undefined ? 'none' : readClosing(text, at);
      if (closed === 'open') return 'open';
      if (typeof closed === 'number') return { end: closed, text: this.written(original as string, bracket) };
      const character = text[at] as string;
      if (PADDING.test(character) && padding < MAX_PADDING) {
        padding += 1;
        continue;
      }
      name += character.toUpperCase();
      if (!mayBecomeName(name)) return 'none';
    }
    return 'open';
  }

  private written(original: string, { escape, isJson }: Bracket): string {
    const escaped = escape(original);
    return this.format === 'json' && !isJson ? asJson(escaped) : escaped;
  }
}

function mayBecomeName(text: string): boolean {
  return PREFIXES.some(
    (prefix) => prefix.startsWith(text) || (text.startsWith(prefix) && NUMBER.test(text.slice(prefix.length))),
  );
}

/** Behind the bracket that closes a pseudonym at a place; a model may close it in another way than it opened it. */
function readClosing(text: string, at: number): number | 'open' | 'none' {
  let isOpen = false;
  for (const { close } of BRACKETS) {
    const closed = readLiteral(text, at, close);
    if (typeof closed === 'number') return closed;
    isOpen ||= closed === 'open';
  }
  return isOpen ? 'open' : 'none';
}

/** Behind a literal at a place, whatever its case; `open` where the text ends in the middle of it. */
function readLiteral(text: string, at: number, literal: string): number | 'open' | 'none' {
  const there = text.slice(at, at + literal.length).toLowerCase();
  if (there === literal) return at + literal.length;
  return there.length < literal.length && literal.startsWith(there) ? 'open' : 'none';
}
