import { decodeHTML } from 'entities';
import { SQUARE_BRACKET } from './square-brackets.js';

const REFERENCE = /&(?:#x[\da-f]{1,9}|#\d{1,9}|[a-z][a-z\d]{0,31});?/gi;
/** What may become one; each unit of it is looked at but some times. */
const BEGUN = /&(?:#(?:x[\da-f]{0,9}|\d{0,9})|[a-z][a-z\d]{0,31})?$/i;
/** The same of a piece, or of a footnote that stands where it is said. */
const BEGUN_PIECE = new RegExp(`${BEGUN.source}|\\^$`, 'i');
const FOOTNOTE = /^\^\[/;
/** Zeros that a reference may begin with in any number. */
const ZEROS = /(?<=&#x?)0{7,}/gi;

/**
 * Writes square brackets as such that a text has as character references of HTML, such as `&#91;`: a page would show them.
 * What may become a reference with the next piece is held back, some 40 units at most.
 */
export class BracketReferences {
  private held = '';

  /** @returns what can be told of the text after another piece */
  push(piece: string): string {
    const text = withoutZeros(this.held + piece);
    this.held = BEGUN.exec(text)?.[0] ?? '';
    return decodeBrackets(text.slice(0, text.length - this.held.length));
  }

  /** @returns what was held back, when the text has ended */
  end(): string {
    const rest = decodeBrackets(this.held);
    this.held = '';
    return rest;
  }
}

/** Keeps what is sent of a text piece by piece from being a bracket, or a footnote, where two of its pieces meet. */
export class PieceSeparator {
  /** What a character reference, or a footnote, may begin with. */
  private begun = '';

  /** @returns a next piece, with a space before it where it would go on with what has begun */
  follow(piece: string): string {
    const text = this.begun + piece;
    const goesOn = decodeBrackets(text) !== this.begun + decodeBrackets(piece) || FOOTNOTE.test(text);
    const followed = goesOn && this.begun !== '' ? ` ${piece}` : piece;
    this.begun = BEGUN_PIECE.exec(withoutZeros(this.begun + followed))?.[0] ?? '';
    return followed;
  }
}

/** A text with its square brackets written as such. */
export function decodeBrackets(text: string): string {
  return withoutZeros(text).replaceAll(REFERENCE, (reference) => {
    const character = decodeHTML(reference);
    return character.length === 1 && SQUARE_BRACKET.test(character) ? character : reference;
  });
}

function withoutZeros(text: string): string {
  return text.replaceAll(ZEROS, '000000');
}
