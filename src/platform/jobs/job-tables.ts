import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';
import { isDuplicateObject, isPermissionDenied } from '../database/postgres-errors.js';
import { OperationalError } from '../operational-error.js';
import { JOB_SCHEMA, jobDatabase } from './job-database.js';
import { QUEUE_OPTIONS } from './queue-options.js';

const TRIES = 20;
const PAUSE_MS = 100;

/**
 * A claim leaves out the jobs whose files another process has. Where thousands of these wait, it finds its own by this index,
 * which the database chooses by what it knows of the values.
 */
const STORE_INDEX = `
  CREATE INDEX IF NOT EXISTS job_store ON ${JOB_SCHEMA}.job_common (name, (data->>'store'))
    WHERE state < 'active' AND NOT blocked`;
const STORE_STATISTICS = `
  CREATE STATISTICS IF NOT EXISTS ${JOB_SCHEMA}.job_store ON (data->>'store') FROM ${JOB_SCHEMA}.job_common`;

/**
 * Makes the tables of the job queue, or brings them up to date, with a queue for each kind of jobs.
 * @throws OperationalError where the database does not let this user
 */
export async function makeJobTables(dataSource: DataSource, kinds: readonly string[] = []): Promise<void> {
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    const boss = new PgBoss({ db: jobDatabase(dataSource), schema: JOB_SCHEMA, schedule: false, supervise: false });
    // Without a listener it would end the process; its start tells what went wrong.
    boss.on('error', () => undefined);
    try {
      await boss.start();
      const known = new Set((await boss.getQueues()).map(({ name }) => name));
      for (const kind of kinds) if (!known.has(kind)) await boss.createQueue(kind, QUEUE_OPTIONS);
      await boss.stop({ graceful: false, close: false });
      for (const sql of [STORE_INDEX, STORE_STATISTICS]) await dataSource.query(sql);
      return;
    } catch (error) {
      if (isPermissionDenied(error)) throw refusedSchema();
      // Another replica makes them at this moment.
      if (!isDuplicateObject(error) || triesLeft === 0) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function refusedSchema(): OperationalError {
  return new OperationalError(
    `The database does not let its user make the schema ${JOB_SCHEMA}, where jobs are stored: see docs/operations.md, PostgreSQL.`,
  );
}
