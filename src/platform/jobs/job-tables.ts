import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';
import {
  databaseErrorCode,
  isDatabaseUnavailable,
  isDuplicateObject,
  isPermissionDenied,
} from '../database/postgres-errors.js';
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
 * Starts the queue's library on its tables, which are made where they are missing.
 * @throws OperationalError where they cannot be made or used, and it is known what to do about that
 */
export async function startOnJobTables(boss: PgBoss, dataSource: DataSource, kinds: readonly string[]): Promise<void> {
  try {
    // Before the library starts, which reads once what each queue is like.
    await makeJobTables(dataSource, kinds);
    await boss.start();
  } catch (error) {
    throw explainJobTables(error);
  }
}

/**
 * Makes the tables of the job queue, or brings them up to date, with a queue for each kind of jobs.
 * @throws what the database throws
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
      for (const sql of [STORE_INDEX, STORE_STATISTICS]) await dataSource.query(sql);
      return;
    } catch (error) {
      // Another replica makes them at this moment.
      if (!isDuplicateObject(error) || triesLeft === 0) throw error;
      await delay(PAUSE_MS);
    } finally {
      await boss.stop({ graceful: false, close: false });
    }
  }
}

/** What the queue's library says of tables that it did not make itself, or that a later version of it has made. */
const OTHER_VERSION = 'pg-boss database requires migrations';
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * The error for job tables that cannot be made or used, as one line where what to do is known; anything else as it came,
 * such as a database that is away.
 */
function explainJobTables(error: unknown): unknown {
  const code = databaseErrorCode(error);
  if (isPermissionDenied(error)) {
    return new OperationalError(
      `The database does not let its user make the schema ${JOB_SCHEMA}, where jobs are stored, or change what is in it: see docs/operations.md, PostgreSQL. (${code})`,
    );
  }
  if (error instanceof Error && error.message === OTHER_VERSION) {
    return new OperationalError(
      `The tables of jobs in the schema ${JOB_SCHEMA} are those of a newer version: start that version or a later one.`,
    );
  }
  if (!SQLSTATE.test(code) || isDatabaseUnavailable(error)) return error;
  return new OperationalError(
    `The schema ${JOB_SCHEMA} of the database has other tables than those of jobs, or damaged ones (${code}): restore a backup, name another database, or rename the schema, whose jobs are not done then.`,
  );
}
