import { describe, expect, it } from '@jest/globals';
import { differences, formatTable, readTable } from './table.js';

const LINE = { name: 'GET /v1/things', cells: '401 | 200 -   404 404' };

describe('the table of the access matrix', () => {
  it('is read as it was written, with what was said behind its lines', () => {
    const before = [{ name: 'GET /v1/things', cells: '', comment: 'as #things says' }];

    const table = readTable(formatTable([LINE, { name: 'query things', cells: '401 | ok' }], before));

    expect(table).toEqual([
      { ...LINE, comment: 'as #things says' },
      { name: 'query things', cells: '401 | ok', comment: undefined },
    ]);
  });

  it('names the operations that are otherwise, new or missing', () => {
    const found = differences(
      [LINE, { name: 'query a', cells: '401' }],
      [
        { ...LINE, cells: '401 | 200' },
        { name: 'query b', cells: 'ok' },
      ],
    );

    expect(found).toEqual([
      'Different: GET /v1/things\n  was 401 | 200 - 404 404\n  now 401 | 200',
      'New: query b\n  now ok',
      'Missing: query a',
    ]);
  });

  it('does not mind how cells are aligned', () => {
    const found = differences([LINE], [{ ...LINE, cells: '401  | 200 -   404 404' }]);

    expect(found).toEqual([]);
  });
});
