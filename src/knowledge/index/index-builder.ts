import type { Database, MaintenanceConnection } from '../../platform/database/database.js';
import { isOutOfSpace, isUndefinedTable } from '../../platform/database/postgres-errors.js';

/** An index of the database, as its statements name it. */
export interface IndexDefinition {
  readonly name: string;
  readonly table: string;
  /** What follows the table in `CREATE INDEX`, as in `USING btree (id)`. */
  readonly columns: string;
}

/** `busy`: another process, or a statement that one has left behind, builds an index. `gone`: there is no such table. */
export type BuildResult = 'built' | 'busy' | 'gone';

/**
 * Held by whoever builds an index, on the connection of its statements: a backend of PostgreSQL whose process was killed
 * goes on building, and has the lock until it is done. Nobody waits for it, since a build waits for the statements of
 * everybody, and would wait for those that wait for it.
 */
const TAKE_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('index build', 0)) AS locked";
/** Those that this version of PostgreSQL has. */
const CONFIGURE = `
  SELECT set_config(s.name, wanted.value, false)
  FROM jsonb_each_text($1::jsonb) wanted (name, value) JOIN pg_settings s ON s.name = wanted.name`;
const STATE = `
  SELECT to_regclass($1) IS NOT NULL AS "hasTable", to_regclass($2) IS NOT NULL AS "isThere",
    EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($2) AND indisvalid AND indisready) AS "isValid"`;

/** Builds indexes of tables that are read and written meanwhile, one at a time in the whole installation. */
export class IndexBuilder {
  /** @param memoryMib `maintenance_work_mem` of a build */
  constructor(
    private readonly database: Pick<Database, 'maintain' | 'embedded'>,
    private readonly memoryMib: number,
  ) {}

  /**
   * Builds an index where there is none, or one whose build was broken off. One that is valid stays as it is, as after a
   * build that PostgreSQL has ended alone.
   * @param signal ends the wait, not the build: PostgreSQL goes on, and whoever asks next finds it `busy` or done
   * @throws what the database throws, or the reason of the signal
   */
  async build(index: IndexDefinition, signal: AbortSignal): Promise<BuildResult> {
    try {
      return await this.database.maintain((connection) => this.buildOn(connection, index), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isUndefinedTable(error)) return 'gone';
      throw error;
    }
  }

  private async buildOn(connection: MaintenanceConnection, index: IndexDefinition): Promise<BuildResult> {
    const { name, table } = index;
    // All have the same connection there, and its settings.
    if (!this.database.embedded) await connection.query(CONFIGURE, [JSON.stringify(settings(this.memoryMib))]);
    const [lock] = await connection.query<{ locked: boolean }>(TAKE_LOCK);
    if (!lock?.locked) return 'busy';
    const [state] = await connection.query<{ hasTable: boolean; isThere: boolean; isValid: boolean }>(STATE, [
      table,
      name,
    ]);
    if (!state?.hasTable) return 'gone';
    if (state.isValid) return 'built';
    // Its build was broken off: nobody else has the lock.
    if (state.isThere) await drop(connection, index);
    try {
      await create(connection, index);
    } catch (error) {
      // Workers share the memory of a build; a container has 64 MiB of shared memory unless it is given more.
      if (!isOutOfSpace(error)) throw error;
      await connection.query('SET max_parallel_maintenance_workers = 0');
      await create(connection, index);
    }
    // What was written just now is not counted yet: for a few rows the planner would not use the index.
    await connection.query(`ANALYZE ${table}`);
    return 'built';
  }
}

async function create(connection: MaintenanceConnection, index: IndexDefinition): Promise<void> {
  const { name, table, columns } = index;
  try {
    await connection.query(`CREATE INDEX CONCURRENTLY ${name} ON ${table} ${columns}`);
  } catch (error) {
    // On a full disk what has been written of it would leave no room to anything else until the next attempt.
    await drop(connection, index).catch(() => undefined);
    throw error;
  }
}

async function drop(connection: MaintenanceConnection, { name }: IndexDefinition): Promise<void> {
  await connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/**
 * A build waits for old transactions, also for long ones: given up, it would leave a broken index behind. Nobody waits for
 * a build that waits, since its lock of the table excludes other maintenance of that table alone.
 */
function settings(memoryMib: number): Record<string, string> {
  return {
    application_name: 'index build',
    maintenance_work_mem: `${memoryMib}MB`,
    statement_timeout: '0',
    transaction_timeout: '0',
    lock_timeout: '0',
    // A connection that was lost ends a statement that looks for it, or has something to say.
    client_connection_check_interval: '0',
    client_min_messages: 'error',
  };
}
