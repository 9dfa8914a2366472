import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRows } from '../support/probes/audit-rows.js';
import { RECORDED_ACTIONS } from '../support/probes/recorded-actions.js';
import { isSuccess } from './access-matrix/callers.js';
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
  }, 480_000);
  afterAll(() => bed.close());

  it('is what test/fixtures/access-matrix.txt says; `npm run access-matrix` writes that anew', () => {
    const table = readTable(readFileSync(TABLE, 'utf8'));
    const now = linesOfRows(rows);

    if (process.env.WRITE_ACCESS_MATRIX) writeFileSync(TABLE, formatTable(now, table));

    expect(process.env.WRITE_ACCESS_MATRIX ? [] : differences(table, now)).toEqual([]);
  });

  it('has left an entry in the audit log for what each mutation does that was done', async () => {
    const done = rows.filter(({ answers }) =>
      Object.values(answers).some((found) => [...found.values()].some(isSuccess)),
    );
    const names = done.flatMap(({ operation }) => /^mutation (\w+)/.exec(operation.name)?.[1] ?? []);
    // A test is done, and tells of a provider that does not work.
    const rowsOfDone = await auditRows(bed.platform, "outcome = 'success' OR action = 'identity_provider.test'");
    const recorded = new Set(rowsOfDone.map(({ action }) => action));

    const missing = names.flatMap((name) => RECORDED_ACTIONS[name] ?? []).filter((action) => !recorded.has(action));

    expect(new Set(names).size).toBeGreaterThan(30);
    expect(missing).toEqual([]);
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
