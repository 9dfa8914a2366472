import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CooperativeYield } from '../../../../src/platform/async/cooperative-yield.js';
import { findSupport } from '../../../../src/platform/text/support/find-support.js';
import { LABELLED_PAIRS } from './labelled-pairs.js';
import type { LabelledPair } from './labelled-pairs.js';
import { PASSAGES } from './passages.js';

const lease = PASSAGES.lease?.text ?? '';

describe('the support of a sentence', () => {
  it('is what has as many clauses as a sentence', async () => {
    expect(await findSupport(sentenceOf(60), sentenceOf(60), 'en')).toBeDefined();
  });

  it('is the one sentence that says it', async () => {
    const found = await findSupport(lease, 'The rent is 1250.5 euros a month.');

    expect(found && lease.slice(found.start, found.end)).toBe('The monthly rent is EUR 1,250.50.');
  });

  it('is neighbouring sentences where one is not enough', async () => {
    const found = await findSupport(
      lease,
      'The monthly rent is EUR 1,250.50, due on the third working day of each month.',
    );

    expect(found && lease.slice(found.start, found.end)).toBe(
      'The monthly rent is EUR 1,250.50. It is due on the third working day of each month.',
    );
  });

  it('is the row of a table that says it under the names of its columns, though other rows deny something', async () => {
    const table = 'Plan | Fee 2025 | Fee 2026\nPier | Not offered | 88\nQuay | 44 | 55';

    const [found, mixed] = await Promise.all(
      ['Plan | Fee 2025 | Fee 2026\nQuay | 44 | 55', 'Plan | Fee 2025 | Fee 2026\nQuay | 44 | 88'].map((claim) =>
        findSupport(table, claim, 'en'),
      ),
    );

    expect(found && table.slice(found.start, found.end)).toBe('Quay | 44 | 55');
    expect(mixed).toBeUndefined();
    const markdown = '| Plan | Fee 2026 |\n|---|---|\n| Pier | Not offered |\n| Quay | 55 |';
    const row = await findSupport(markdown, 'Plan | Fee 2026\nQuay | 55', 'en');
    expect(row && markdown.slice(row.start, row.end)).toBe('| Quay | 55 |');
  });

  it.each([
    ['nothing', '', 'The rent is due.'],
    ['no sentence', lease, ''],
    ['one word', lease, 'Rent.'],
    ['more than a sentence', lease, lease.repeat(4)],
    ['more clauses than a sentence', sentenceOf(61), sentenceOf(61)],
    ['numbers of two things', 'Alpha costs 5 euros. Beta costs 7 euros.', 'Alpha costs 7 euros.'],
    ['a number above zero', 'The balance is 5 euros.', 'The balance is − 5 euros.'],
    ['a number with another minus', 'The balance is 5 euros.', 'The balance is ➖5 euros.'],
    ['an amount above zero', 'The balance is $5.', 'The balance is -$5.'],
    ['two paragraphs', 'Alpha is sold in Bonn.\n\nBeta costs 7 euros.', 'Alpha in Bonn costs 7 euros.'],
  ])('is none of %s', async (_what, passage, sentence) => {
    const found = await findSupport(passage, sentence, 'en');

    expect(found).toBeUndefined();
  });

  it('is found in every sentence of a passage for that sentence itself', async () => {
    for (const { text, language } of Object.values(PASSAGES)) {
      for (const sentence of text.split(/(?<=\.)\s+|(?<=。)/).filter((part) => part.length > 25)) {
        const found = await findSupport(text, sentence, language);

        expect([sentence, found && text.slice(found.start, found.end)]).toEqual([sentence, expect.any(String)]);
      }
    }
  });

  it('is no longer looked for when the signal is aborted', async () => {
    const long = 'The rent of Anna Meyer is 500 euros. '.repeat(20_000);

    const search = findSupport(
      long,
      'The rent of Anna Meyer is 600 euros.',
      'en',
      new CooperativeYield(AbortSignal.abort(new Error('gone'))),
    );

    await expect(search).rejects.toThrow('gone');
  });

  it('has places in the passage, whatever the texts are', async () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom('en', 'de', 'fr', 'xx', '__proto__'),
        async (before, behind, language) => {
          const passage = `${before}\n\nThe rent of Anna Meyer is 500 euros.\n\n${behind}`;

          const found = await findSupport(passage, 'The rent of Anna Meyer is 500 euros.', language);

          expect(found && passage.slice(found.start, found.end)).toContain('rent of Anna Meyer is 500');
        },
      ),
    );
  });
});

// The tables of docs/decisions/0009-quotes-and-chunks.md: who makes it better lowers these numbers, and changes the tables.
it('accepts and refuses as many labelled pairs wrongly as is written down', async () => {
  const counted: Partial<Record<string, number>> = {};
  for (const pair of LABELLED_PAIRS) {
    const problem = await problemOf(pair);
    if (problem) counted[problem] = (counted[problem] ?? 0) + 1;
  }

  expect(LABELLED_PAIRS.length).toBeGreaterThanOrEqual(120);
  expect(counted).toEqual({ 'paraphrase refused': 2, 'swapped roles accepted': 4, 'changed word accepted': 4 });
});

async function problemOf({
  passage,
  sentence,
  language,
  isSupported,
  kind,
}: LabelledPair): Promise<string | undefined> {
  const isFound = (await findSupport(passage, sentence, language)) !== undefined;
  if (isFound === isSupported) return undefined;
  return `${kind} ${isFound ? 'accepted' : 'refused'}`;
}

function sentenceOf(clauses: number): string {
  return `${Array.from({ length: clauses }, (_, place) => `part ${place} costs ${place} euros`).join(', ')}.`;
}
