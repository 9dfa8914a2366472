import type { TextSpan } from '../../platform/text/text-span.js';

/** What a part of a page is. */
export type BlockKind = 'heading' | 'paragraph' | 'list_item' | 'table' | 'code';

/** A part of a page's text; of a table each line is a row, and the first one its header. */
export interface PageBlock extends TextSpan {
  readonly kind: BlockKind;
  /** Of headings: 1 for the highest. */
  readonly level?: number;
}

/** A page of a document, or a part of a document that has no pages. */
export interface Page {
  /** From 1; absent where the document has no pages. */
  readonly number?: number;
  readonly text: string;
  /** Where its text begins in that from which places are counted; 0 where it is left out. */
  readonly offset?: number;
  /** In order, without overlaps. What no block has is a paragraph. */
  readonly blocks: readonly PageBlock[];
}

/** A part of a page that is found and quoted by itself. Places are UTF-16 units of the page's text, plus its offset. */
export interface Chunk {
  /**
   * What is embedded: `page.text.slice(overlapStart, end)`, and before it the header of the table where it begins inside
   * of one.
   */
  readonly text: string;
  readonly page: number | undefined;
  /** Where what only this chunk has begins: `text` ends with `page.text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  /** Where the sentences begin that the chunk before has, too; `start` where there are none. */
  readonly overlapStart: number;
  /** The titles of the sections that it stands in, the highest first, such as `['Terms', 'Payment']`. */
  readonly headings: readonly string[];
  /** SHA-256 of the headings and the text, in hexadecimal digits. */
  readonly hash: string;
}

/** How large chunks are, in tokens. */
export interface ChunkSizes {
  /** What chunks aim at. */
  readonly target: number;
  /** What no chunk exceeds. */
  readonly max: number;
  /** About how much of the chunk before a chunk repeats, in whole sentences. */
  readonly overlap: number;
}
