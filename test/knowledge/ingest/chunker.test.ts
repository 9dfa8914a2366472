import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { chunkPages, countWords, toPage } from '../../support/builders/pages.js';

const sentences = (count: number, words = 9): string =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} has ${'word '.repeat(words - 4)}here.`).join(' ');

describe('a chunk', () => {
  it('has the titles of its sections, and the headings stay with what follows', async () => {
    const page = toPage([
      [1, 'Terms'],
      [2, 'Payment'],
      ['paragraph', 'The rent is due on the third day.'],
      [2, 'Notice'],
      ['paragraph', 'Three months.'],
      [1, 'Annex'],
    ]);

    const chunks = await chunkPages([page]);

    expect(chunks.map(({ headings, text }) => [headings, text])).toEqual([
      [['Terms', 'Payment'], 'Terms\n\nPayment\n\nThe rent is due on the third day.'],
      [['Terms', 'Notice'], 'Notice\n\nThree months.'],
      [['Annex'], 'Annex'],
    ]);
  });

  it('keeps the titles of the page before, and names its own page', async () => {
    const pages = [
      toPage(
        [
          [1, 'Terms'],
          ['paragraph', 'A first half of'],
        ],
        7,
      ),
      toPage([['paragraph', 'a sentence ends here.']], 8),
    ];

    const chunks = await chunkPages(pages);

    expect(chunks.map(({ page, headings, text }) => [page, headings, text])).toEqual([
      [7, ['Terms'], 'Terms\n\nA first half of'],
      [8, ['Terms'], 'a sentence ends here.'],
    ]);
  });

  it('is cut between sentences where a paragraph is too long, and repeats whole sentences of the one before', async () => {
    const page = toPage([['paragraph', sentences(12)]]);

    const chunks = await chunkPages([page], { target: 30, max: 40, overlap: 12 });

    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.every(({ text }) => text.startsWith('Sentence') && text.endsWith('here.'))).toBe(true);
    expect(chunks.slice(1).every(({ start, overlapStart }) => overlapStart < start)).toBe(true);
  });

  it('repeats nothing of another section', async () => {
    const page = toPage([
      [1, 'One'],
      ['paragraph', sentences(2)],
      [1, 'Two'],
      ['paragraph', sentences(2)],
    ]);

    const chunks = await chunkPages([page], { overlap: 10 });

    expect(chunks.map(({ start, overlapStart }) => start - overlapStart)).toEqual([0, 0]);
  });

  it('has whole rows of a table, below its header', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `Item ${index} | ${index} euros`);
    const page = toPage([['table', ['Name | Price', '---|---', ...rows].join('\n')]]);

    const chunks = await chunkPages([page], { target: 40, max: 50 });

    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ text }) => text.startsWith('Name | Price\n---|---\nItem'))).toBe(true);
    expect(chunks.flatMap(({ text }) => text.split('\n').slice(2))).toEqual(rows);
  });

  it('has whole items of a list and lines of code', async () => {
    const lines = Array.from({ length: 8 }, (_, index) => `const value${index} = compute(${index});`);
    const items = Array.from({ length: 8 }, (_, index) => `- item ${index} of a list with a few words`);
    const page = toPage([['code', lines.join('\n')], ...items.map((item) => ['list_item', item] as const)]);

    const chunks = await chunkPages([page]);

    expect(chunks.flatMap(({ text }) => text.split('\n').filter((line) => line !== ''))).toEqual([...lines, ...items]);
  });

  it('is cut between words by dictionary where nothing else is left', async () => {
    const page = toPage([['paragraph', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(40)]]);

    const chunks = await chunkPages([page], {}, (text) => Math.ceil(text.length / 4));

    expect(chunks.length).toBeGreaterThan(5);
    expect(new Set(chunks.slice(1).map(({ text }) => /^[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/.test(text)))).toEqual(
      new Set([false]),
    );
  });

  it('has a hash of its headings and its text', async () => {
    const [chunk] = await chunkPages([
      toPage([
        [1, 'Terms'],
        ['paragraph', 'Text.'],
      ]),
    ]);

    const hash = createHash('sha256')
      .update(JSON.stringify([['Terms'], 'Terms\n\nText.']))
      .digest('hex');

    expect(chunk?.hash).toBe(hash);
  });
});

it('counts tokens hardly more often than it makes chunks', async () => {
  let counts = 0;
  const page = toPage([['paragraph', sentences(2_000)]]);

  const chunks = await chunkPages([page], { target: 256, max: 512, overlap: 32 }, (text) => {
    counts += 1;
    return countWords(text);
  });

  expect(counts / chunks.length).toBeLessThan(2);
});

it.each([{ target: 0 }, { target: 50 }, { overlap: 11 }, { overlap: -1 }, { target: Number.NaN }])(
  'refuses %j',
  async (sizes) => {
    const chunks = chunkPages([toPage([['paragraph', 'Text.']])], sizes);

    await expect(chunks).rejects.toThrow(RangeError);
  },
);

it('ends where a tokenizer calls everything too long, and says so where it counts nothing', async () => {
  const page = toPage([['paragraph', 'ab😀c']]);

  const chunks = await chunkPages([page], {}, () => 1_000);
  const uncounted = chunkPages([page], {}, () => Number.NaN);

  expect(chunks.map(({ text }) => text)).toEqual(['a', 'b', '😀', 'c']);
  await expect(uncounted).rejects.toThrow(TypeError);
});
