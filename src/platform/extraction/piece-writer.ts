import type { ExtractedPage, TextBlock } from './extraction.types.js';
import { LIMITS } from './limits.js';
import type { PageSink } from './page-sink.js';

/** What the pieces of a part have in common. */
export interface PieceHead {
  readonly number?: number;
  readonly title?: string;
}

/** Writes blocks one after another, and gives them in pieces, so that a file of any length takes little memory. */
export class PieceWriter {
  /** Of the pieces that are to come; to be set between two parts. */
  head: PieceHead;
  /** Whether the blocks that are to come are a quotation: each of their lines is marked as Markdown does it. */
  isQuoted = false;
  private readonly pages: PageSink;
  private readonly ready: ExtractedPage[] = [];
  private parts: string[] = [];
  private length = 0;
  private blocks: TextBlock[] = [];

  constructor(pages: PageSink, head: PieceHead = {}) {
    this.pages = pages;
    this.head = head;
  }

  /** Adds a block; one that is too long becomes several of its kind. Blank ones are left out. */
  add(kind: TextBlock['kind'], text: string, level?: number): void {
    for (let start = 0; start < text.length;) {
      const end = pieceEnd(text, start);
      const part = kind === 'code' ? text.slice(start, end).trimEnd() : text.slice(start, end).trim();
      if (part !== '') this.addBlock(kind, part, level);
      start = end;
    }
  }

  /** Gives what has become whole pieces; to be called between two reads of the file. */
  async flush(): Promise<void> {
    for (const page of this.ready.splice(0)) await this.pages.give(page);
  }

  /** Gives the rest of a part. @param always also where it is empty, as a sheet or slide is a page all the same */
  async end(always = false): Promise<void> {
    if (this.length > 0 || always) this.cut();
    await this.flush();
  }

  private addBlock(kind: TextBlock['kind'], part: string, level: number | undefined): void {
    const start = this.length;
    const text = this.isQuoted ? part.replaceAll(/^/gm, '> ') : part;
    const written = `${text}${kind === 'list_item' ? '\n' : '\n\n'}`;
    this.parts.push(written);
    this.length += written.length;
    this.blocks.push({ kind, ...(level === undefined ? {} : { level }), start, end: start + text.length });
    if (this.length >= LIMITS.pieceCharacters || this.blocks.length >= LIMITS.blocks) this.cut();
  }

  private cut(): void {
    this.ready.push({ ...this.head, origin: 'text', text: this.parts.join(''), blocks: this.blocks });
    this.parts = [];
    this.length = 0;
    this.blocks = [];
  }
}

/** Where a stretch from `start` ends that is no longer than a piece: behind a blank, if there is one near the end. */
export function pieceEnd(text: string, start: number): number {
  const most = start + LIMITS.pieceCharacters;
  if (text.length <= most) return text.length;
  for (let end = most; end > most - 1_024; end -= 1) {
    if (/\s/.test(text[end - 1] as string)) return end;
  }
  // Not between the halves of a pair.
  return /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most;
}
