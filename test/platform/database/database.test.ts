import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { isDatabaseUnavailable } from '../../../src/platform/database/postgres-errors.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

let opened: OpenTestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
  await query('CREATE TABLE notes (id integer PRIMARY KEY)');
});
beforeEach(() => query('TRUNCATE notes'));
afterAll(() => opened.close());

describe('a lost connection', () => {
  test('in the middle of a query fails that query alone, and the next one is served', async () => {
    const runner = opened.database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as Client;

    const lost = runner.query('SELECT count(*) FROM generate_series(1, 300000)').catch((error: unknown) => error);
    setImmediate(cut, client);
    const error = await lost;
    await runner.release();

    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('never loses an acknowledged write and never keeps half a transaction', async () => {
    const acknowledged = new Set<number>();
    const rolledBack = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const base = 1_000 + round * 10;
      await query('INSERT INTO notes VALUES ($1)', [base]);
      acknowledged.add(base);
      const transaction = opened.database.dataSource.transaction(async (tx) => {
        await tx.query('INSERT INTO notes VALUES ($1)', [base + 1]);
        rolledBack.add(base + 1);
        const client = (await tx.queryRunner?.connect()) as Client;
        const pending = tx.query('INSERT INTO notes VALUES ($1)', [base + 2]);
        rolledBack.add(base + 2);
        cut(client);
        await pending;
      });
      await expect(transaction).rejects.toThrow('Connection terminated');
    }

    const ids = await storedIds();

    expect(acknowledged.difference(ids)).toEqual(new Set());
    expect(rolledBack.intersection(ids)).toEqual(new Set());
  });

  test('leaves no transaction open and no setting behind for the next one', async () => {
    const searchPath = await query('SHOW search_path');
    const runner = opened.database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as Client;
    await runner.query('BEGIN');
    await runner.query('INSERT INTO notes VALUES (2)');
    await runner.query("SET search_path TO 'elsewhere'");
    const ended = new Promise((resolve) => client.once('end', resolve));
    cut(client);
    await ended;

    await query('INSERT INTO notes VALUES (1)');

    expect(await query('SHOW search_path')).toEqual(searchPath);
    expect(await storedIds()).toEqual(new Set([1]));
  });
});

test('an idle connection that is lost is replaced by a new one', async () => {
  const runner = opened.database.dataSource.createQueryRunner();
  const client = (await runner.connect()) as Client;
  await runner.release();
  const ended = new Promise((resolve) => client.once('end', resolve));

  cut(client);
  await ended;

  expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('many callers at once each get their own answer', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);

  const answers = await Promise.all(
    numbers.map((number) =>
      number % 3 === 0
        ? opened.database.dataSource.transaction((tx) => tx.query('SELECT $1::int AS number', [number]))
        : query('SELECT $1::int AS number', [number]),
    ),
  );

  expect(answers).toEqual(numbers.map((number) => [{ number }]));
});

test('a statement at fault is not taken for a database that is away', async () => {
  const error: unknown = await query('SELECT * FROM nowhere').catch((caught: unknown) => caught);

  expect(isDatabaseUnavailable(error)).toBe(false);
});

function query<T>(sql: string, parameters?: unknown[]): Promise<T[]> {
  return opened.database.dataSource.query(sql, parameters);
}

async function storedIds() {
  return new Set((await query<{ id: number }>('SELECT id FROM notes')).map((row) => row.id));
}

/** Cuts the connection as a crash of the network would. */
function cut(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
