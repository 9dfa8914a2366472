import pLimit from 'p-limit';
import type { Db } from 'pg-boss';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/** The schema of the queue's tables. */
export const JOB_SCHEMA = 'jobs';

/**
 * How many statements of the queue run at once. Behind an outage many of them would wait for connections before the
 * calls of users do.
 */
const STATEMENTS_AT_ONCE = 2;

/** Lets the queue use some of the connections that everybody shares. */
export function jobDatabase(dataSource: DataSource): Db {
  const limit = pLimit(STATEMENTS_AT_ONCE);
  const execute = async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    const runner = dataSource.createQueryRunner();
    // Where there is no connection, there is nothing to roll back: that would ask for another one.
    await runner.connect();
    try {
      return await run(runner, text, values);
    } catch (error) {
      // A text of several statements may have begun a transaction of its own, which the next user would inherit.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  };
  return { executeSql: (text, values) => limit(execute, text, values) };
}

/** Lets the queue take part in a transaction. */
export function jobTransaction(tx: EntityManager): Db {
  return { executeSql: (text, values) => run(tx.queryRunner as QueryRunner, text, values) };
}

async function run(runner: QueryRunner, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const { records } = (await runner.query(text, values, true)) as { readonly records?: unknown[] };
  return { rows: records ?? [] };
}
