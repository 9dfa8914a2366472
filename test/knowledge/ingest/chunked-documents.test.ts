import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BlockKind, Chunk, Page } from '../../../src/knowledge/ingest/chunk.types.js';
import { chunksOf } from '../../../src/knowledge/ingest/chunker.js';
import { chunkPages, countWords, streamOf, toPage } from '../../support/builders/pages.js';

describe('a document', () => {
  it('is wholly in its chunks, in order, whatever its blocks are', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages(), fc.constantFrom(0, 2, 5), async (pages, overlap) => {
        const chunks = await chunkPages(pages, { target: 10, max: 16, overlap });

        for (const [number, page] of pages.entries()) {
          expectWhole(
            page,
            chunks.filter((chunk) => chunk.page === number),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has chunks of at most so many tokens, which end between characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages(), async (pages) => {
        const chunks = await chunkPages(pages, { target: 10, max: 16, overlap: 4 });

        for (const { page, text, start, end } of chunks) {
          expect(countWords(text)).toBeLessThanOrEqual(16);
          const borders = graphemeBorders(pages[page ?? 0]?.text ?? '');
          expect([borders.has(start), borders.has(end)]).toEqual([true, true]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has the same chunks each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages(), async (pages) => {
        const [first, second] = [await chunkPages(pages), await chunkPages(pages)];

        expect(first).toEqual(second);
      }),
      { numRuns: 50 },
    );
  });

  it('loses nothing to blocks that overlap, run out of the page or cut a character', async () => {
    const place = fc.oneof(fc.integer({ min: -5, max: 60 }), fc.constantFrom(Number.NaN, 1e12, 3.5));
    const block = fc.record({ kind: anyKind(), start: place, end: place });

    await fc.assert(
      fc.asyncProperty(anyText(), fc.array(block, { maxLength: 6 }), async (text, blocks) => {
        const page = { number: 0, text, blocks };

        expectWhole(page, await chunkPages([page]));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['one word', toPage([['paragraph', 'x'.repeat(1_000_000)]])],
    ['one character with a million accents', toPage([['paragraph', `a${'\u0301'.repeat(300_000)}`]])],
    ['headings only', toPage(Array.from({ length: 30_000 }, (_, index) => [1, `Heading ${index}`] as const))],
    [
      'headings below each other',
      toPage(Array.from({ length: 30_000 }, (_, index) => [((index % 3) + 1) as 1, `H ${index}`] as const)),
    ],
    ['empty blocks', toPage(Array.from({ length: 200_000 }, () => ['paragraph', ''] as const))],
    ['a row of a megabyte', toPage([['table', `Name | Value\nA | ${'long '.repeat(200_000)}\nB | 2`]])],
    ['a header of a megabyte', toPage([['table', `${'long '.repeat(200_000)}\nB | 2\nC | 3`]])],
    ['white space between two words', toPage([['paragraph', `a${' \n'.repeat(500_000)}b`]])],
  ])(
    'that is %s is in small chunks',
    async (_what, page) => {
      const chunks = await chunkPages([page], { target: 64, max: 128, overlap: 16 }, (text) =>
        Math.ceil(text.length / 4),
      );

      expectWhole(page, chunks);
      expect(Math.max(0, ...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(512);
    },
    60_000,
  );

  it('stops with the signal', async () => {
    const abort = new AbortController();
    const pages = streamOf(Array.from({ length: 1_000 }, (_, number) => toPage([['paragraph', 'Text.']], number)));
    const chunks = chunksOf(pages, { target: 8, max: 16, overlap: 0, countTokens: countWords, signal: abort.signal });
    await chunks.next();

    abort.abort(new Error('gone'));

    await expect(chunks.next()).rejects.toThrow('gone');
  });
});

/** Every character but white space is in what a chunk alone has, in order; places are what they say. */
function expectWhole(page: Page, chunks: readonly Chunk[]): void {
  let cursor = 0;
  for (const { text, start, end, overlapStart } of chunks) {
    if (start < cursor || end <= start || overlapStart > start) throw new Error('The chunks are not in order.');
    if (/\S/.test(page.text.slice(cursor, start))) throw new Error('Something is between two chunks.');
    if (!text.endsWith(page.text.slice(overlapStart, end))) throw new Error('A chunk does not say what it has.');
    cursor = end;
  }
  expect(page.text.slice(cursor).trim()).toBe('');
}

function graphemeBorders(text: string): ReadonlySet<number> {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return new Set([...Array.from(graphemes.segment(text), ({ index }) => index), text.length]);
}

function anyKind(): fc.Arbitrary<BlockKind> {
  return fc.constantFrom('heading', 'paragraph', 'list_item', 'table', 'code');
}

function anyText(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    'word',
    'Word.',
    ' ',
    ' ',
    '\n',
    '\n\n',
    '12.5',
    'Dr. ',
    '中文字',
    'ไทยไทย',
    '😀',
    '👩‍👩‍👧',
    'e\u0301',
    '|',
    '. ',
    'longer',
    '\u00a0',
    '한국어',
  );
  return fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));
}

/** Pages that are numbered from 0, with well-formed blocks. */
function anyPages(): fc.Arbitrary<Page[]> {
  const block = fc.tuple(fc.oneof(anyKind(), fc.constantFrom(1 as const, 2 as const, 3 as const)), anyText());
  return fc
    .array(fc.array(block, { maxLength: 6 }), { maxLength: 3 })
    .map((pages) => pages.map((blocks, number) => toPage(blocks, number)));
}
