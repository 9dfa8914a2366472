import { BadUpstream } from '../../errors.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { SQUARE_BRACKET } from './square-brackets.js';

/** More is no answer that somebody waits for; it is held until it is whole. */
const MOST_CHARACTERS = 4_000_000;
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

/**
 * A JSON text that a model writes piece by piece, in whose strings marks are left that are true: outside of them brackets
 * are lists. It is held back until it is whole. What is no JSON then is a text like any other.
 */
export class CitedJson implements Cited {
  private held = '';

  /** @param newText looks at one string, or at all of what is no JSON */
  constructor(
    private readonly newText: () => Cited,
    private readonly cooperation: CooperativeYield,
  ) {}

  /** @throws BadUpstream where there is too much */
  async write(piece: string): Promise<string> {
    this.held += piece;
    if (this.held.length > MOST_CHARACTERS) throw new BadUpstream('The model server writes too long a text.');
    return '';
  }

  /** @throws the reason of the signal */
  async end(): Promise<string> {
    const json = this.held;
    this.held = '';
    if (!isJson(json)) return this.citedText(withoutEscapes(json));
    const cited: string[] = [];
    for (let from = 0; from < json.length; ) {
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
    const cited = await this.citedText(text);
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
