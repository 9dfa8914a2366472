import { cleanText, cutText } from './clean-text.js';
import { PAGE_LIMITS } from './web-page.types.js';

/** What is collected, in UTF-16 units: blanks are left away later. */
const MOST = 2 * PAGE_LIMITS.characters;

/** Collects the text of a page in blocks, with blank lines between them, up to what is kept of a page. */
export class BlockText {
  private readonly blocks: string[] = [];
  private line: string[] = [];
  /** Units of everything, also of blanks that are left away later. */
  private length = 0;
  private preformatted = 0;
  private quoted = 0;
  private isLineQuoted = false;
  /** Whether the blocks that end now lie within an inline quotation. */
  isInQuote = false;

  /** Whether there is as much as is kept. */
  get isFull(): boolean {
    return this.length > MOST;
  }

  /** Adds to the block that is open. */
  add(text: string): void {
    if (this.isFull) return;
    // One text may be the whole page.
    this.line.push(cutText(text, MOST + 1 - this.length));
    this.length += text.length;
  }

  /** Ends the block that is open. */
  break(): void {
    if (this.line.length === 0) return;
    const joined = cleanText(this.line.join(''));
    const isKept = this.preformatted > 0;
    const text = isKept ? joined.replace(/^\s*\n/, '').trimEnd() : joined.replace(/\s+/g, ' ').trim();
    const isQuoted = this.quoted > 0 || this.isInQuote || this.isLineQuoted;
    this.line = [];
    this.isLineQuoted = false;
    const row = text.endsWith(' |') ? text.slice(0, -2).trimEnd() : text;
    if (row.trim() !== '') this.blocks.push(isQuoted ? row.replaceAll(/^/gm, '> ') : row);
  }

  /** From here on blanks and line breaks stay as they are, until the call with false that belongs to this one. */
  preformat(isOn: boolean): void {
    this.break();
    this.preformatted = Math.max(0, this.preformatted + (isOn ? 1 : -1));
  }

  /** From here on blocks are marked as quoted, as in Markdown, until the call with false that belongs to this one. */
  quote(isOn: boolean): void {
    this.break();
    this.quoted = Math.max(0, this.quoted + (isOn ? 1 : -1));
  }

  /** Marks the block that is open as quoted. */
  quoteBlock(): void {
    this.isLineQuoted = true;
  }

  /** Everything. */
  toString(): string {
    this.break();
    return cutText(this.blocks.join('\n\n'), PAGE_LIMITS.characters);
  }
}
