import { createHash } from 'node:crypto';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { atomsOf } from './atoms.js';
import type { Chunk, ChunkSizes, Page } from './chunk.types.js';
import { HeadingPath } from './heading-path.js';
import { SectionCutter } from './section-cutter.js';
import type { ChunkPlace } from './section-cutter.js';
import { TokenEstimate } from './token-estimate.js';

/** What chunks are made by. */
export interface ChunkOptions extends ChunkSizes {
  /** Counts the tokens of a text as the model does that embeds it. It is asked a few times for each chunk. */
  countTokens(text: string): number | Promise<number>;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/**
 * Cuts a document into chunks by its structure, page by page, in constant memory for each page. Chunks end with their
 * page and their section; headings stay with what follows them. Paragraphs, items of lists, rows of tables and lines of
 * code are whole where they are no longer than a chunk. Nothing but white space is left out, and the same document always
 * has the same chunks. Takes time in proportion to the document, with a turn for others every few milliseconds.
 * @param pages in order
 * @throws RangeError for sizes that leave no room (0 ≤ overlap ≤ target / 2, 1 ≤ target ≤ max), the reason of the signal,
 *   TypeError where `countTokens` answers no number, and what it or the pages throw
 */
export async function* chunksOf(pages: AsyncIterable<Page>, options: ChunkOptions): AsyncGenerator<Chunk> {
  checkSizes(options);
  const path = new HeadingPath();
  const estimate = new TokenEstimate();
  const cooperation = new CooperativeYield(options.signal);
  for await (const page of pages) {
    options.signal?.throwIfAborted();
    const cutter = new SectionCutter(page.text, options, estimate);
    const cut = async function* (isFinal: boolean): AsyncGenerator<Chunk> {
      for await (const place of cutter.cut(isFinal)) {
        yield toChunk(page, path.titles, place);
        if (cooperation.isDue) await cooperation.yield();
      }
    };
    for (const atom of atomsOf(page)) {
      if (cooperation.isDue) await cooperation.yield();
      if (cutter.isOtherSection(atom)) yield* cut(true);
      if (atom.kind === 'heading') path.enter(atom.level, page.text.slice(atom.start, atom.end));
      cutter.add(atom);
      if (cutter.isClear) yield* cut(false);
    }
    yield* cut(true);
  }
}

function checkSizes({ target, max, overlap }: ChunkSizes): void {
  if (!(target >= 1 && target <= max && overlap >= 0 && overlap <= target / 2)) {
    throw new RangeError('Chunks need 1 ≤ target ≤ max, and 0 ≤ overlap ≤ target / 2.');
  }
}

function toChunk(page: Page, headings: readonly string[], { text, start, end, overlapStart }: ChunkPlace): Chunk {
  const hash = createHash('sha256')
    .update(JSON.stringify([headings, text]))
    .digest('hex');
  const { offset = 0 } = page;
  const places = { start: offset + start, end: offset + end, overlapStart: offset + overlapStart };
  return { text, page: page.number, ...places, headings, hash };
}
