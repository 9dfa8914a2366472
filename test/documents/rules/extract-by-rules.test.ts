import { expect, test } from '@jest/globals';
import { extractByRules } from '../../../src/documents/rules/extract-by-rules.js';
import type { Proposal } from '../../../src/documents/rules/rules.types.js';
import { toSchema } from '../../proof/document-extraction/set/schema-builder.js';
import type { FieldShapes } from '../../proof/document-extraction/set/schema-builder.js';
import { layoutsOf } from '../../support/builders/documents/layouts.js';
import { pdf } from '../../support/builders/documents/pdf-documents.js';

test('values stand beside, below and behind their labels, each with the words that prove it', async () => {
  const schema = { invoice_number: 'string', invoice_date: 'date', due_date: 'date' } as const;
  const places = [
    ['Rechnungsnummer', 60, 100],
    ['RE-2024-17', 200, 100],
    ['Rechnungsdatum', 60, 140],
    ['3. Mai 2024', 60, 154],
    ['Zahlbar bis: 17.05.2024', 60, 194],
  ] as const;

  const pages = await layoutsOf(await written(places));
  const found = await extractByRules(toSchema(schema), pages);

  expect(valuesOf(found)).toEqual({
    invoice_number: 'RE-2024-17',
    invoice_date: '2024-05-03',
    due_date: '2024-05-17',
  });
  expect(found.map(({ evidence }) => evidence.relation)).toEqual(['beside', 'below', 'behind']);
  for (const { pageIndex, start, end, quote, page, box } of found) {
    expect(pages[pageIndex]!.text.slice(start, end)).toBe(quote);
    expect(page).toBe(1);
    expect(box![0]).toBeLessThan(box![2]);
  }
});

test('the labels of a schema are enough, in any language', async () => {
  const schema = {
    vaernummer: { kind: 'string', labels: ['Varenummer'] },
    antal: { kind: 'integer', labels: ['Antal'] },
    godkendt: { kind: 'boolean', labels: ['Godkendt'] },
    klasse: { kind: 'string', labels: ['Klasse'], options: ['let', 'tung'] },
  } as const;

  const found = await extract(schema, 'Varenummer: DK-4711\n\nAntal: 12 stk\n\nGodkendt: Ja\n\nKlasse: Tung\n');

  expect(valuesOf(found)).toEqual({ vaernummer: 'DK-4711', antal: 12, godkendt: true, klasse: 'tung' });
});

test('dates are read in the order that the document proves', async () => {
  const schema = {
    issued: { kind: 'date', labels: ['Issued'] },
    shipped: { kind: 'date', labels: ['Shipped'] },
  } as const;

  const american = await extract(schema, 'Issued: 03/04/2024\n\nShipped: 03/25/2024\n');
  const european = await extract(schema, 'Issued: 03/04/2024\n\nShipped: 25/04/2024\n');
  const open = await extract(schema, 'Issued: 03/04/2024\n\nShipped: 05/04/2024\n');

  expect(valuesOf(american)).toEqual({ issued: '2024-03-04', shipped: '2024-03-25' });
  expect(valuesOf(european)).toEqual({ issued: '2024-04-03', shipped: '2024-04-25' });
  expect(american[0]!.evidence.isAmbiguous).toBe(false);
  expect(open[0]!.evidence.isAmbiguous).toBe(true);
});

test('rows and totals are found by arithmetic where no word is known', async () => {
  const rows = [
    ['Kufi', 'Foo', 'Bar', 'Baz'],
    ['Lorem dolor', '3', '12,50', '37,50'],
    ['Ipsum amet', '10', '4,25', '42,50'],
    ['Sit elit', '2', '110,00', '220,00'],
  ];
  const cells = rows.flatMap((row, line) =>
    row.map((text, column) => [text, 60 + column * 120, 100 + line * 16] as const),
  );
  const totals = [
    ['Qux', 300, 200],
    ['300,00', 420, 200],
    ['Quux 19 %', 300, 216],
    ['57,00', 420, 216],
    ['Corge', 300, 232],
    ['357,00', 420, 232],
  ] as const;

  const found = await extractByRules(toSchema(INVOICE), await layoutsOf(await written([...cells, ...totals])));

  expect(valuesOf(found)).toEqual({
    net_amount: 300,
    tax_amount: 57,
    total_amount: 357,
    'line_items[0].description': 'Lorem dolor',
    'line_items[0].quantity': 3,
    'line_items[0].unit_price': 12.5,
    'line_items[0].amount': 37.5,
    'line_items[1].description': 'Ipsum amet',
    'line_items[1].quantity': 10,
    'line_items[1].unit_price': 4.25,
    'line_items[1].amount': 42.5,
    'line_items[2].description': 'Sit elit',
    'line_items[2].quantity': 2,
    'line_items[2].unit_price': 110,
    'line_items[2].amount': 220,
  });
  expect(found[0]!.evidence).toMatchObject({ label: 'none', passed: ['total', 'sum', 'rate'] });
});

test('a table goes on over pages, and its repeated header is no row', async () => {
  const bytes = await pdf((document) => {
    for (const page of [0, 1, 2]) {
      document.addPage().fontSize(10);
      for (const [line, row] of [
        ['Description', 'Qty', 'Unit price', 'Amount'],
        [`Part ${page}a`, '2', '5.00', '10.00'],
        [`Part ${page}b`, '3', '7.00', '21.00'],
      ].entries())
        for (const [column, text] of row.entries())
          document.text(text, 60 + column * 120, 80 + line * 16, { lineBreak: false });
      document.text(`Page ${page + 1} of 3`, 400, 700, { lineBreak: false });
    }
  });

  const found = await extractByRules(toSchema(INVOICE), await layoutsOf(bytes));

  const names = found.filter(({ path }) => path.endsWith('description')).map(({ value, page }) => [value, page]);
  expect(names).toEqual([
    ['Part 0a', 1],
    ['Part 0b', 1],
    ['Part 1a', 2],
    ['Part 1b', 2],
    ['Part 2a', 3],
    ['Part 2b', 3],
  ]);
});

test('a sheet gives the rows of an array by the names of its columns', async () => {
  const schema = {
    staff: { rows: { name: 'string', born: { kind: 'date', labels: ['Date of birth'] }, grade: 'integer' } },
  } as const;
  const [page] = await layoutsOf('Name,Date of birth,Grade\nAda Byron,1815-12-10,7\nAlan Turing,1912-06-23,9\n', 'csv');

  const found = await extractByRules(toSchema(schema), [page!]);

  expect(valuesOf(found)).toEqual({
    'staff[0].name': 'Ada Byron',
    'staff[0].born': '1815-12-10',
    'staff[0].grade': 7,
    'staff[1].name': 'Alan Turing',
    'staff[1].born': '1912-06-23',
    'staff[1].grade': 9,
  });
  expect(found[0]!.box).toBeUndefined();
});

test('what is not there is not proposed', async () => {
  const found = await extract(INVOICE, 'The lighthouse keeper wrote a letter to his sister, who lived by the sea.\n');

  expect(found).toEqual([]);
});

/** What the tests of rows ask for. */
const INVOICE: FieldShapes = {
  net_amount: 'number',
  tax_amount: 'number',
  total_amount: 'number',
  line_items: { rows: { description: 'string', quantity: 'number', unit_price: 'number', amount: 'number' } },
};

function written(places: readonly (readonly [string, number, number])[]): Promise<Buffer> {
  return pdf((document) => {
    document.addPage().fontSize(10);
    for (const [text, x, y] of places) document.text(text, x, y, { lineBreak: false });
  });
}

async function extract(fields: FieldShapes, text: string): Promise<Proposal[]> {
  return extractByRules(toSchema(fields), await layoutsOf(text, 'text'));
}

function valuesOf(proposals: readonly Proposal[]): Record<string, unknown> {
  return Object.fromEntries(proposals.map(({ path, value }) => [path, value]));
}
