import type { TextEdit, TextFormat } from '../../inference/domain.js';
import type { ScannedText, TextMatch } from '../matching/match.types.js';
import { replaceMatches } from '../replacement.js';

/** What takes the place of a match. */
export type Replace = (found: string, match: TextMatch) => string;

/** What a number of JSON begins with, and what it is made of. */
const NUMBER_BEGINNING = /[-\d]/;
const NUMBER_PART = /[-+.\deE]/;
const NUMBER = /^[-+.\deE]+$/;
/** Longer ones are written as they are: nobody writes them. */
const LONGEST_NUMBER = 256;

/**
 * One text in which something takes the place of each match. JSON stays JSON: a number of it, which was not in quotes,
 * gets them where it or a part of it is replaced.
 */
export class ReplacedText {
  private isInString = false;
  private isEscaped = false;
  /** What is read of a number of JSON, with what takes the place of its parts: it is written when it has ended. */
  private number = '';
  private isNumberReplaced = false;
  /** How much of the text was written before. */
  private writtenTo = 0;

  /** @param edits gets what was replaced, where the format is `text` */
  constructor(
    private readonly format: TextFormat,
    private readonly replace: Replace,
    private readonly edits?: TextEdit[],
  ) {}

  /** What is not written yet, as it was read; undefined where that is not known. */
  get held(): string | undefined {
    return this.isNumberReplaced ? undefined : this.number;
  }

  write(scanned: ScannedText): string {
    if (this.format === 'text') return this.writeText(scanned);
    const { text, matches } = scanned;
    let written = '';
    let at = 0;
    for (const match of matches) {
      const found = text.slice(match.start, match.end);
      written += this.read(text.slice(at, match.start)) + this.put(found, this.replace(found, match));
      at = match.end;
    }
    return written + this.read(text.slice(at));
  }

  /** What is left, when the text has ended. */
  end(): string {
    const { number, isNumberReplaced } = this;
    this.number = '';
    this.isNumberReplaced = false;
    return isNumberReplaced ? `"${number}"` : number;
  }

  private writeText(scanned: ScannedText): string {
    const from = this.writtenTo;
    this.writtenTo += scanned.text.length;
    return replaceMatches(scanned, (found, match) => {
      const text = this.replace(found, match);
      if (text !== found) this.edits?.push({ start: from + match.start, end: from + match.end, text });
      return text;
    });
  }

  /** Goes through JSON that is not replaced. */
  private read(text: string): string {
    let written = '';
    for (const character of text) {
      const isNumber = !this.isInString && (this.number === '' ? NUMBER_BEGINNING : NUMBER_PART).test(character);
      if (isNumber && this.number.length < LONGEST_NUMBER) {
        this.number += character;
        continue;
      }
      written += this.end() + character;
      this.readCharacter(character);
    }
    return written;
  }

  private readCharacter(character: string): void {
    if (character === '"' && !this.isEscaped) this.isInString = !this.isInString;
    this.isEscaped = this.isInString && character === '\\' && !this.isEscaped;
  }

  private put(found: string, replacement: string): string {
    if (replacement === found) return this.read(found);
    if (!this.isInString && NUMBER.test(found)) {
      this.number += replacement;
      this.isNumberReplaced = true;
      return '';
    }
    const before = this.end();
    for (const character of found) this.readCharacter(character);
    return before + replacement;
  }
}
