import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRows } from '../../support/probes/audit-rows.js';
import { RECORDED_ACTIONS } from '../../support/probes/recorded-actions.js';
import { isSuccess } from './callers.js';
import { MatrixBed } from './matrix-bed.js';
import { runMatrix } from './matrix-run.js';
import type { Row } from './matrix-run.js';
import type { Operation } from './operation.js';
import { operationsOf } from './operations.js';
import { disagreements, RULES } from './rules.js';
import { differences, formatTable, linesOfRows, readTable } from './table.js';

/** The matrix is tried in so many parts of about the same size, a test file each. */
const SHARDS = 6;
/** Of breaches: they come in crowds. */
const SHOWN = 20;
const TABLE = new URL('../../fixtures/access-matrix.txt', import.meta.url);

/** Tries a part of the access matrix. @param shard from 1 to `SHARDS` */
export function describeMatrixShard(shard: number): void {
  describe(`the access matrix, part ${shard} of ${SHARDS}`, () => {
    let bed: MatrixBed;
    let names: ReadonlySet<string>;
    let rows: readonly Row[];

    beforeAll(async () => {
      bed = await MatrixBed.start();
      const operations = operationsOf(bed.platform.app);
      names = new Set(operations.map(({ name }) => name));
      rows = await runMatrix(
        bed,
        operations.filter((operation) => shardOf(operation) === shard),
      );
    }, 480_000);
    afterAll(() => bed.close());

    it('is what test/fixtures/access-matrix.txt says; `npm run access-matrix` writes that anew', () => {
      const table = readTable(readFileSync(TABLE, 'utf8'));
      const [now, tried] = [linesOfRows(rows), new Set(rows.map(({ operation }) => operation.name))];

      const others = table.filter(({ name }) => !tried.has(name) && names.has(name));
      if (process.env.WRITE_ACCESS_MATRIX) writeFileSync(TABLE, formatTable([...now, ...others], table));

      // A line whose operation no longer exists is reported by every part.
      const known = table.filter(({ name }) => name === '' || !others.some((other) => other.name === name));
      expect(process.env.WRITE_ACCESS_MATRIX ? [] : differences(known, now)).toEqual([]);
    });

    it('has left an entry in the audit log for what each mutation does that was done', async () => {
      const done = rows.filter(({ answers }) =>
        Object.values(answers).some((found) => [...found.values()].some(isSuccess)),
      );
      const mutations = done.flatMap(({ operation }) => /^mutation (\w+)/.exec(operation.name)?.[1] ?? []);
      // A test is done, and tells of a provider that does not work.
      const rowsOfDone = await auditRows(bed.platform, "outcome = 'success' OR action = 'identity_provider.test'");
      const recorded = new Set(rowsOfDone.map(({ action }) => action));

      const missing = mutations
        .flatMap((name) => RECORDED_ACTIONS[name] ?? [])
        .filter((action) => !recorded.has(action));

      expect(new Set(mutations).size).toBeGreaterThan(5);
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
}

/** REST and the graph are tried together where they do one thing. */
function shardOf({ name, pair }: Operation): number {
  return (hash('sha256', pair ?? name, 'buffer').readUInt32BE() % SHARDS) + 1;
}
