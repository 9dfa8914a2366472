import { expect, test } from '@jest/globals';
import type { PageLayout } from '../../../src/documents/layout/layout.types.js';
import { layOutPage } from '../../../src/documents/layout/page-layout.js';
import { extractByRules } from '../../../src/documents/rules/extract-by-rules.js';
import { INVOICE_SCHEMA } from '../../proof/document-extraction/invoices/invoice-schema.js';
import { toSchema } from '../../proof/document-extraction/set/schema-builder.js';

const UNITS = 32 * 1024;

test.each([
  'Invoice no. ',
  'Date: 1.1.2024 ',
  'Total 1,00 ',
  '1 | 2 | 2 | 4\n',
  'Qty | Price | Amount\n1 | 2 | 2\n',
  'Description | Qty | Unit price | Amount\n',
  'A GmbH und ',
  'between A and ',
  '1 2 3 4 5 6 7 8 9 ',
  'DE89 3704 0044 0532 0130 00 ',
  'a',
  '1',
  '1.',
  '§ 1 A ',
  '12 months ',
  'x\n',
])('pages of %j are read before the test times out, and quotes stand where they say', async (part) => {
  const text = part.repeat(Math.ceil(UNITS / part.length));
  const page = pageOf(text);

  const found = await extractByRules(INVOICE_SCHEMA, [page, page, page, page]);

  for (const { quote, start, end } of found) expect(text.slice(start, end)).toBe(quote);
});

test('a thousand pages are read one after another', async () => {
  async function* pages(): AsyncGenerator<PageLayout> {
    for (let number = 1; number <= 1_000; number += 1) {
      yield pageOf(
        `Report ${number}\nItem | Qty | Price | Amount\nBolt | 2 | ${number}.00 | ${2 * number}.00\n`.repeat(10),
      );
    }
  }

  const found = await extractByRules(INVOICE_SCHEMA, pages());

  expect(found.filter(({ path }) => path.endsWith('.quantity'))).toHaveLength(10_000);
  expect(found.at(-1)!.pageIndex).toBe(999);
});

test('a schema of many fields with the same label is read before the test times out', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`f${index}`, { kind: 'number', labels: ['Total'] } as const]),
  );

  const found = await extractByRules(toSchema(fields), [pageOf('Total: 5\n'.repeat(3_000))]);

  expect(found.length).toBeGreaterThan(0);
});

test('a caller who has gone ends the search', async () => {
  const controller = new AbortController();
  async function* pages(): AsyncGenerator<PageLayout> {
    for (;;) {
      yield pageOf('Total: 5\n'.repeat(500));
      controller.abort(new Error('gone'));
    }
  }

  await expect(extractByRules(INVOICE_SCHEMA, pages(), controller.signal)).rejects.toThrow('gone');
});

/** A page without boxes; lines with bars are rows of a table. */
function pageOf(text: string): PageLayout {
  const kind = text.includes(' | ') ? 'table' : 'paragraph';
  return layOutPage({ number: 1, origin: 'text', text, blocks: [{ kind, start: 0, end: text.length }] });
}
