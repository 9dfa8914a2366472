import { Client } from 'pg';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DataSource, MigrationExecutor } from 'typeorm';
import type { Migration, MigrationInterface } from 'typeorm';
import type { CallerPlaces } from '../async/caller-places.js';
import type { DatabaseConfig } from './config.js';
import {
  EMBEDDED_SLOW_MS,
  embeddedOptions,
  maintenanceOptions,
  postgresOptions,
  sessionOptions,
} from './data-source.js';
import type { DatabaseSchema } from './data-source.js';
import { explainFailedStart } from './data-folder.js';
import { startEmbeddedServer } from './embedded-database.js';
import type { StartEmbeddedServer } from './embedded-database.js';
import { explainFailedConnection } from './failed-connection.js';
import { unlessAborted } from '../async/unless-aborted.js';
import { describeError } from '../telemetry/log.js';
import { OperationalError } from '../operational-error.js';
import { createLongReads } from './long-reads.js';
import { isDatabaseBroken, NO_ANSWER, readAgainIfLost } from './postgres-errors.js';
import { SlowTransactionSubscriber } from './slow-transaction.subscriber.js';

/** One session of the database. */
export interface MaintenanceConnection {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** The open database; its schema is the one that this build knows. */
export interface Database {
  readonly dataSource: DataSource;
  /** One connection that everybody shares: short statements, and in a transaction only its own manager. */
  readonly embedded: boolean;
  /** Places for statements of callers that take long: they leave connections to all others. */
  readonly longReads: CallerPlaces;
  /**
   * A statement of the hot path: PostgreSQL plans it once for each connection. The embedded database allows no named
   * statements, and runs it like any other.
   * @param name unique among the statements of this program
   */
  prepare<Row>(name: string, text: string): (values: unknown[]) => Promise<Row[]>;
  /**
   * Whether it answers at all: on PostgreSQL a connection that does not by then is dropped, and another answers next time.
   * @throws what the database throws, or the reason of the signal
   */
  ping(signal: AbortSignal): Promise<void>;
  /**
   * For statements of any length, such as those that build an index: on a connection of their own, but on the embedded one.
   * When the signal is aborted, that connection is closed: its statement fails here, and PostgreSQL goes on with it.
   */
  maintain<T>(work: (connection: MaintenanceConnection) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits for running queries, then disconnects. */
  close(): Promise<void>;
}

/**
 * Opens the database that the configuration names, PostgreSQL or the embedded one, and brings its schema up to date.
 * @param startEmbedded what runs the embedded database: a thread of this process by default
 * @throws OperationalError when it cannot be reached, is in use by another process or damaged (embedded), or has been
 * migrated by a newer build or one before the first release
 */
export async function openDatabase(
  config: Omit<DatabaseConfig, 'secretKey'>,
  schema: DatabaseSchema,
  log: Logger,
  startEmbedded: StartEmbeddedServer = startEmbeddedServer,
): Promise<Database> {
  const { databaseUrl, databasePoolSize, dataDir } = config;
  return databaseUrl
    ? openPostgres(databaseUrl, databasePoolSize, schema, log)
    : openEmbedded(dataDir, schema, log, startEmbedded);
}

async function openPostgres(url: string, poolSize: number, schema: DatabaseSchema, log: Logger): Promise<Database> {
  try {
    return await connectPostgres(url, poolSize, schema, log);
  } catch (error) {
    throw explainFailedConnection(url, error);
  }
}

async function connectPostgres(url: string, poolSize: number, schema: DatabaseSchema, log: Logger): Promise<Database> {
  const maintenance = await new DataSource(maintenanceOptions(url, schema, log)).initialize();
  await migrate(maintenance, log).finally(() => maintenance.destroy());
  const dataSource = await new DataSource(postgresOptions(url, poolSize, schema, log)).initialize();
  const pool = (dataSource.driver as unknown as { readonly master: Pool }).master;
  return {
    dataSource,
    embedded: false,
    longReads: createLongReads(poolSize),
    prepare: (name, text) => async (values) => (await pool.query({ name, text, values })).rows,
    // That one connection broke says nothing of the database.
    ping: (signal) => readAgainIfLost(() => ping(dataSource, signal)),
    maintain: (work, signal) => maintain(url, work, signal),
    close: () => dataSource.destroy(),
  };
}

async function maintain<T>(
  url: string,
  work: (connection: MaintenanceConnection) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const client = new Client(sessionOptions(url));
  // The statement that waits for it is told.
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.connect();
    return await work({ query: async (text, values) => (await client.query(text, values)).rows });
  } finally {
    signal.removeEventListener('abort', end);
    await client.end();
  }
}

async function ping(dataSource: DataSource, signal: AbortSignal): Promise<void> {
  const connection = await (dataSource.driver as unknown as { readonly master: Pool }).master.connect();
  try {
    await unlessAborted(connection.query('SELECT 1'), signal);
    connection.release();
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

async function openEmbedded(
  dataDir: string,
  schema: DatabaseSchema,
  log: Logger,
  startEmbedded: StartEmbeddedServer,
): Promise<Database> {
  const server = await startEmbedded(dataDir, log);
  const dataSource = new DataSource(embeddedOptions(server.socketFolder, schema, log));
  const close = async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await server.close();
  };
  try {
    await withConnectTimeout(dataSource.initialize());
    await migrate(dataSource, log);
    dataSource.subscribers.push(new SlowTransactionSubscriber(log, EMBEDDED_SLOW_MS));
    return {
      dataSource,
      embedded: true,
      longReads: createLongReads(1),
      prepare: (_name, text) => (values) => dataSource.query(text, values),
      ping: async () => void (await dataSource.query('SELECT 1')),
      maintain: (work) => work(dataSource).finally(() => dataSource.query('SELECT pg_advisory_unlock_all()')),
      close,
    };
  } catch (error) {
    await close();
    throw isDatabaseBroken(error) ? await explainFailedStart(dataDir, describeError(error).message) : error;
  }
}

/** How long the first words with an embedded database may take, in milliseconds: a damaged one may never answer. */
const ANSWER_MS = 60_000;

function withConnectTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(NO_ANSWER)), ANSWER_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Any number will do, as long as it stays the same in all versions. */
const MIGRATION_LOCK = 7_217_001;

/** Runs what is pending in one transaction; replicas that start together wait for each other. */
async function migrate(dataSource: DataSource, log: Logger): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  try {
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    requireKnownMigrations(dataSource.migrations, await executor.getExecutedMigrations());
    const run = await executor.executePendingMigrations();
    await runner.commitTransaction();
    if (run.length > 0) log.info({ migrations: run.map((migration) => migration.name) }, 'the database was migrated');
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** @throws OperationalError where the database has migrations that are not among those of this build */
function requireKnownMigrations(ours: readonly MigrationInterface[], executed: readonly Migration[]): void {
  const names = new Set(ours.map((migration) => migration.name ?? migration.constructor.name));
  const others = executed.filter(({ name }) => !names.has(name));
  if (others.length === 0) return;
  throw new OperationalError(
    // A newer version has added its own to ours.
    others.length < executed.length
      ? `The database was migrated by a newer version (${others.map(({ name }) => name).join(', ')}): ` +
          'start that version or a later one.'
      : 'The database was made by a version before the first release, which this one cannot take over: start with an ' +
          'empty database (another DATABASE_URL) or an empty data folder (another DATA_DIR).',
  );
}
