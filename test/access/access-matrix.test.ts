import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MatrixBed } from './access-matrix/matrix-bed.js';
import { runMatrix } from './access-matrix/matrix-run.js';
import type { Row } from './access-matrix/matrix-run.js';
import { operationsOf } from './access-matrix/operations.js';
import { disagreements, RULES } from './access-matrix/rules.js';
import { differences, formatTable, linesOfRows, readTable } from './access-matrix/table.js';

/** Of breaches: they come in crowds. */
const SHOWN = 20;
const TABLE = new URL('../fixtures/access-matrix.txt', import.meta.url);

describe('the access matrix', () => {
  let bed: MatrixBed;
  let rows: readonly Row[];

  beforeAll(async () => {
    bed = await MatrixBed.start();
    rows = await runMatrix(bed, operationsOf(bed.platform.app));
  }, 240_000);
  afterAll(() => bed.close());

  it('is what test/fixtures/access-matrix.txt says; `npm run access-matrix` writes that anew', () => {
    const table = readTable(readFileSync(TABLE, 'utf8'));
    const now = linesOfRows(rows);

    if (process.env.WRITE_ACCESS_MATRIX) writeFileSync(TABLE, formatTable(now, table));

    expect(process.env.WRITE_ACCESS_MATRIX ? [] : differences(table, now)).toEqual([]);
  });

  it.each(Object.entries(RULES))('keeps the rule: %s', (_name, rule) => {
    const breaches = rows.flatMap(rule);

    expect(breaches.slice(0, SHOWN)).toEqual([]);
  });

  it('keeps the rule: REST and the graph agree', () => {
    const breaches = disagreements(rows);

    expect(breaches.slice(0, SHOWN)).toEqual([]);
  });
});
