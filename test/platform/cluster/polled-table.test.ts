import { beforeEach, describe, expect, it } from '@jest/globals';
import { PolledTable } from '../../../src/platform/cluster/polled-table.js';
import type { TableRead } from '../../../src/platform/cluster/polled-table.js';

describe('a table that is polled', () => {
  let stored: TableRead<Row>;
  let asked: (number | undefined)[];
  let heard: string[];
  let failure: Error | undefined;
  let table: PolledTable<Row>;

  beforeEach(() => {
    [stored, asked, heard, failure] = [{ rows: [] }, [], [], undefined];
    table = openTable();
  });

  it('reads everything once, and then what has changed since, with room for what is committed late', async () => {
    await table.refresh();
    await table.refresh();

    expect(asked).toEqual([undefined, expect.closeTo(30, 0)]);
  });

  it('reads everything until that has worked, and later from the last read that did', async () => {
    failure = new Error('away');
    await expect(table.refresh()).rejects.toThrow('away');
    failure = undefined;
    await table.refresh();
    failure = new Error('away');
    await expect(table.refresh()).rejects.toThrow('away');
    failure = undefined;
    await table.refresh();

    expect(asked).toEqual([undefined, undefined, expect.any(Number), expect.any(Number)]);
    expect(asked[3]).toBeGreaterThan(asked[2] as number);
  });

  it('tells of a row once, however often it is read, and again when it has changed', async () => {
    stored = { rows: [{ key: 'a', version: 1 }] };
    await table.refresh();
    await table.refresh();
    stored = { rows: [{ key: 'a', version: 2 }] };
    await table.refresh();

    expect(heard).toEqual(['a1', 'a2']);
  });

  it('does not go back to what a read saw before this process wrote', async () => {
    table.put({ key: 'a', version: 2 });
    stored = { rows: [{ key: 'a', version: 1 }] };
    await table.refresh();

    expect([table.get('a')?.version, heard]).toEqual([2, ['a2']]);
  });

  it('tells what is gone, where a read says what there is', async () => {
    stored = { rows: [{ key: 'a', version: 1 }] };
    await table.refresh();
    stored = { rows: [] };
    await table.refresh();
    const before = [...table.rows.keys()];
    stored = { rows: [{ key: 'b', version: 1 }], keys: new Set(['b']) };
    await table.refresh();

    expect([before, [...table.rows.keys()], heard]).toEqual([['a'], ['b'], ['a1', '-a', 'b1']]);
  });

  it('reads one turn after another, each from the beginning', async () => {
    await Promise.all([table.refresh(), table.refresh(), table.refresh()]);

    expect(asked.map((seconds) => seconds !== undefined)).toEqual([false, true, true]);
  });

  function openTable(): PolledTable<Row> {
    return new PolledTable<Row>({
      keyOf: ({ key }) => key,
      read: async (changedWithinSeconds) => {
        asked.push(changedWithinSeconds);
        if (failure) throw failure;
        return stored;
      },
      supersedes: (row, known) => row.version > known.version,
      changed: ({ key, version }) => heard.push(`${key}${version}`),
      removed: ({ key }) => heard.push(`-${key}`),
    });
  }
});

interface Row {
  readonly key: string;
  readonly version: number;
}
