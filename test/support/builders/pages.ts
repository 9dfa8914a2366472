import type { BlockKind, Chunk, ChunkSizes, Page } from '../../../src/knowledge/ingest/chunk.types.js';
import { chunksOf } from '../../../src/knowledge/ingest/chunker.js';

/** A block of a page as a test writes it: its kind, or the level of a heading, and its text. */
export type WrittenBlock = readonly [kind: BlockKind | 1 | 2 | 3, text: string];

/** A page whose blocks stand below each other, with a blank line between them. */
export function toPage(blocks: readonly WrittenBlock[], number?: number): Page {
  const places: Page['blocks'][number][] = [];
  let length = 0;
  for (const [kind, text] of blocks) {
    const place = { start: length, end: length + text.length };
    places.push(typeof kind === 'number' ? { kind: 'heading', level: kind, ...place } : { kind, ...place });
    length += text.length + 2;
  }
  return {
    ...(number === undefined ? {} : { number }),
    text: blocks.map(([, text]) => text).join('\n\n'),
    blocks: places,
  };
}

/** Pages as they come from whoever reads a document. */
export async function* streamOf(pages: Iterable<Page>): AsyncGenerator<Page> {
  yield* pages;
}

/** Counts words and signs: a tokenizer that a reader can check. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

/** All chunks of a document, with words as tokens. */
export async function chunkPages(
  pages: Iterable<Page>,
  sizes: Partial<ChunkSizes> = {},
  countTokens: (text: string) => number | Promise<number> = countWords,
): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of chunksOf(streamOf(pages), { target: 20, max: 40, overlap: 0, ...sizes, countTokens })) {
    chunks.push(chunk);
  }
  return chunks;
}
