import type { Db } from 'pg-boss';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/** The schema of the queue's tables. */
export const JOB_SCHEMA = 'jobs';

/** Lets the queue use the connections that everybody shares. */
export function jobDatabase(dataSource: DataSource): Db {
  return {
    async executeSql(text, values) {
      const runner = dataSource.createQueryRunner();
      try {
        return await execute(runner, text, values);
      } catch (error) {
        // A text of several statements may have begun a transaction of its own, which the next user would inherit.
        await runner.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        await runner.release();
      }
    },
  };
}

/** Lets the queue take part in a transaction. */
export function jobTransaction(tx: EntityManager): Db {
  return { executeSql: (text, values) => execute(tx.queryRunner as QueryRunner, text, values) };
}

async function execute(runner: QueryRunner, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const { records } = (await runner.query(text, values, true)) as { readonly records?: unknown[] };
  return { rows: records ?? [] };
}
