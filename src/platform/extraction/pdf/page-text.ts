import type { ExtractedPage, TextBlock, TextBox } from '../extraction.types.js';

/** Where a page's text stands, in the unit of its size. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly confidence?: number;
  /** Where its parts stand, by their places in the text that is written; undefined: it is one. */
  readonly parts?: readonly (Place & { readonly start: number; readonly end: number })[];
}

/** The size of a page, in any unit. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Writes the text of one page, and where on it each part stands. */
export class PageText {
  private readonly parts: string[] = [];
  private length = 0;
  private readonly blocks: TextBlock[] = [];
  private readonly boxes: TextBox[] = [];
  private readonly size: PageSize;

  constructor(size: PageSize) {
    this.size = size;
  }

  /** Begins a block. */
  begin(kind: TextBlock['kind'], level?: number): void {
    const last = this.blocks.at(-1);
    if (last) this.append(kind === 'list_item' && last.kind === 'list_item' ? '\n' : '\n\n');
    const start = this.length;
    this.blocks.push({ kind, ...(level === undefined ? {} : { level }), start, end: start });
  }

  /** Continues the block. @param separator before the text, where the block is not empty */
  write(text: string, place: Place, separator: string): void {
    const block = this.blocks.at(-1) as { start: number; end: number };
    if (block.end > block.start) this.append(separator);
    const start = this.length;
    this.append(text);
    block.end = this.length;
    for (const part of place.parts ?? [{ ...place, start: 0, end: text.length }]) {
      this.boxes.push({
        start: start + part.start,
        end: start + part.end,
        box: this.boxOf(part),
        ...confidenceOf(part),
      });
    }
  }

  /** Continues the block with a line; a word that was divided at the end of the one before is put together. */
  writeLine(text: string, place: Place): void {
    // The whole text would be copied each time.
    const before = this.parts.at(-1)?.slice(-3) ?? '';
    const isDivided = /\p{L}[-\u2010\u00ad]$/u.test(before) && /^\p{L}/u.test(text);
    // A hyphen before a capital belongs to the word.
    if (isDivided && /^\p{Ll}/u.test(text)) this.dropHyphen();
    this.write(text, place, isDivided ? '' : ' ');
  }

  /** The page. */
  page(number: number | undefined, origin: 'text' | 'ocr'): ExtractedPage {
    const { width, height } = this.size;
    const aspect = width / height || 1;
    return { number, origin, text: this.parts.join(''), blocks: this.blocks, boxes: this.boxes, aspect };
  }

  private dropHyphen(): void {
    this.append((this.parts.pop() ?? '').slice(0, -1), -1);
    for (const part of [this.blocks.at(-1), this.boxes.at(-1)] as { end: number }[]) part.end = this.length;
  }

  private append(text: string, added = text.length): void {
    this.parts.push(text);
    this.length += added;
  }

  private boxOf({ left, top, right, bottom }: Place): TextBox['box'] {
    const { width, height } = this.size;
    return [share(left, width), share(top, height), share(right, width), share(bottom, height)];
  }
}

function confidenceOf({ confidence }: Place): { confidence?: number } {
  return confidence === undefined ? {} : { confidence };
}

/** 0–1, to a hundredth of a per cent: what lies beyond the page ends at its edge. */
function share(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole || 0)) * 10_000) / 10_000;
}
