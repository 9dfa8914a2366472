import { BadUpstream } from '../../errors.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { decodeBrackets } from './bracket-references.js';
import { findMarks } from './citation-marks.js';
import { SQUARE_BRACKET, SQUARE_BRACKETS } from './square-brackets.js';

/** What is held of all choices of an answer; more is none that somebody waits for, and parsing it would take too long. */
const MOST_CHARACTERS = 500_000;
/** Strings in which marks are looked for one by one; of more, brackets are left out. */
const MOST_CITED = 1_000;
/** Longer strings are looked at in slices, with turns for others. */
const MOST_AT_ONCE = 2_000;
/** A block of code that is all of a text: many models put JSON into one. */
const FENCED = /^(\s*```(?:json)?[ \t]*\n)([^]*?)(\n```\s*)$/;
/** What a string has that may hold a mark: a bracket, an escape of one, or a character reference. */
const SUSPICIOUS = new RegExp(`&|\\\\u|${SQUARE_BRACKET.source}`, 'u');
const ESCAPE = /\\u([\da-f]{4})/gi;
const VISIBLE = /[^\p{C}"\\]/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Leaves marks in a text that are true. */
interface Cited {
  write(piece: string): Promise<string>;
  end(): Promise<string>;
}

/** How much more of an answer that is to be JSON may be held, in all of its choices. */
export class JsonBudget {
  private characters = MOST_CHARACTERS;
  private strings = MOST_CITED;

  /** @throws BadUpstream where there is too much */
  take(piece: string): void {
    this.characters -= piece.length;
    if (this.characters < 0) throw new BadUpstream('The model server writes too long a text.');
  }

  /** Whether one more string may be looked at. */
  takeString(): boolean {
    this.strings -= 1;
    return this.strings >= 0;
  }
}

/**
 * A JSON text that a model writes piece by piece, in whose strings marks are left that are true: outside of them brackets
 * are lists. It is held back until it is whole. What is no JSON then is a text like any other.
 */
export class CitedJson implements Cited {
  private held = '';

  /** @param newText looks at one string, or at all of what is no JSON */
  constructor(
    private readonly newText: () => Cited,
    private readonly budget: JsonBudget,
    private readonly cooperation: CooperativeYield,
  ) {}

  /** @throws BadUpstream where there is too much */
  async write(piece: string): Promise<string> {
    this.budget.take(piece);
    this.held += piece;
    return '';
  }

  /** @throws the reason of the signal */
  async end(): Promise<string> {
    const held = this.held;
    this.held = '';
    const [, before = '', json = held, behind = ''] = FENCED.exec(held) ?? [];
    if (!isJson(json)) return this.citedText(withoutEscapes(held));
    return before + (await this.citedStrings(json)) + behind;
  }

  private async citedStrings(json: string): Promise<string> {
    const cited: string[] = [];
    for (let from = 0; from < json.length;) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      const start = json.indexOf('"', from);
      const end = start < 0 ? json.length : stringEnd(json, start);
      const literal = start < 0 ? '' : json.slice(start, end);
      cited.push(json.slice(from, end - literal.length));
      cited.push(SUSPICIOUS.test(literal) ? await this.citedString(literal) : literal);
      from = end;
    }
    return cited.join('');
  }

  private async citedString(literal: string): Promise<string> {
    const text = JSON.parse(literal) as string;
    const read = decodeBrackets(text);
    if (read.length <= MOST_AT_ONCE && findMarks(read).length === 0) return literal;
    const cited = this.budget.takeString() ? await this.citedText(text) : read.replaceAll(SQUARE_BRACKETS, ' ');
    return cited === text ? literal : JSON.stringify(cited);
  }

  private async citedText(text: string): Promise<string> {
    const cited = this.newText();
    return (await cited.write(text)) + (await cited.end());
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A text that may be meant as JSON, such as one that was cut off, with its visible characters as readers would show them. */
function withoutEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (escape, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return VISIBLE.test(character) ? character : escape;
  });
}

/** Where a string ends that begins at a quote of valid JSON. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
