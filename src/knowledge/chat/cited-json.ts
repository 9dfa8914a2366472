import { BadUpstream } from '../../errors.js';

/** More is no answer that somebody waits for; it is held until it is whole. */
const MOST_CHARACTERS = 4_000_000;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** Leaves marks in a text that are true. */
interface Cited {
  write(piece: string): Promise<string>;
  end(): Promise<string>;
}

/**
 * A JSON text that a model writes piece by piece, in whose strings marks are left that are true: outside of them brackets
 * are lists. It is held back until it is whole.
 */
export class CitedJson implements Cited {
  private held = '';

  /** @param newText looks at one string */
  constructor(private readonly newText: () => Cited) {}

  /** @throws BadUpstream where there is too much */
  async write(piece: string): Promise<string> {
    this.held += piece;
    if (this.held.length > MOST_CHARACTERS) throw new BadUpstream('The model server writes too long a text.');
    return '';
  }

  async end(): Promise<string> {
    const json = this.held;
    this.held = '';
    let cited = '';
    let from = 0;
    for (const { index, 0: literal } of json.matchAll(STRING)) {
      cited += json.slice(from, index) + (await this.citedString(literal));
      from = index + literal.length;
    }
    // An answer that was cut off ends in a string.
    const rest = json.slice(from);
    return cited + (rest.includes('"') ? await this.citedText(rest) : rest);
  }

  private async citedString(literal: string): Promise<string> {
    const text = parsed(literal);
    if (text === undefined) return this.citedText(literal);
    const cited = await this.citedText(text);
    return cited === text ? literal : JSON.stringify(cited);
  }

  private async citedText(text: string): Promise<string> {
    const cited = this.newText();
    return (await cited.write(text)) + (await cited.end());
  }
}

/** The text that a string of JSON stands for; undefined where it is none. */
function parsed(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
