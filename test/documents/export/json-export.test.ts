import { text as textOf } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { toJson } from '../../../src/documents/export/json-export.js';
import { exportOf, inTurn, resultOf } from '../../support/builders/documents/results.js';

const PROPERTIES = { total: { type: 'number' }, lines: { type: 'array', items: { type: 'string' } } };

describe('results as JSON', () => {
  it('have the values in the form of the schema, and the evidence by path', async () => {
    const document = resultOf({ total: 12.5, 'lines[0]': 'Paper' }, { filename: 'a "b".pdf', pages: null });

    const json = await read(exportOf(PROPERTIES, [document], { isComplete: false }));

    const evidence = { confidence: 0.93, page: 1, bbox: [0.1, 0.2, 0.3, 0.4], origin: 'text', reason: null };
    expect(json).toEqual({
      object: 'document_analyzer.results',
      complete: false,
      data: [
        {
          id: 'doc_1',
          filename: 'a "b".pdf',
          status: 'extracted',
          pages: null,
          values: { total: 12.5, lines: ['Paper'] },
          fields: {
            total: { value: 12.5, quote: 'quote of total', extractor: 'builtin', status: 'extracted', ...evidence },
            'lines[0]': {
              value: 'Paper',
              quote: 'quote of lines[0]',
              extractor: 'builtin',
              status: 'extracted',
              ...evidence,
            },
          },
        },
      ],
    });
  });

  it.each([0, 1, 2, 500])('are one JSON document for %i documents', async (count) => {
    const documents = Array.from({ length: count }, (_, index) => resultOf({ total: index }));

    const { data } = await read(exportOf(PROPERTIES, documents));

    expect(data.map(({ values }) => values['total'])).toEqual(documents.map((_, index) => index));
  });

  it('end with their documents, and go on only as they are read', async () => {
    let given = 0;
    const documents = inTurn(
      (function* () {
        for (; given < 100_000; given += 1) yield resultOf({ total: given });
      })(),
    );
    const pieces = toJson(exportOf(PROPERTIES, [], { documents }));

    await pieces.next();
    await pieces.return();

    expect(given).toBeLessThan(1_000);
    expect((await documents.next()).done).toBe(true);
  });

  it('fail with nothing sent where the first documents cannot be read', async () => {
    const documents = inTurn(
      (function* () {
        yield resultOf({ total: 1 });
        throw new Error('the database is gone');
      })(),
    );

    await expect(toJson(exportOf(PROPERTIES, [], { documents })).next()).rejects.toThrow('the database is gone');
  });
});

async function read(results: ReturnType<typeof exportOf>) {
  const json = await textOf(Readable.from(toJson(results)));
  return JSON.parse(json) as { readonly data: readonly { readonly values: Record<string, unknown> }[] };
}
