import { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Client, ClientConfig } from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import type { SealedColumn } from '../crypto/sealed-column.js';
import { DatabaseLogger } from './database-logger.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** The tables of a build, and the way to them. */
export interface DatabaseSchema {
  /** Entity classes. */
  readonly entities: readonly (new () => object)[];
  /** Migration classes; their names end in the time of their making, in whose order they run. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Where what the secret box has sealed is kept. */
  readonly sealed?: readonly SealedColumn[];
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 30_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** Longer than any statement may take and than the pool keeps an idle connection: the other side is gone. */
const SILENCE_TIMEOUT_MS = 20_000;
/** A statement or transaction of this length keeps everyone else waiting on the embedded database's only connection. */
export const EMBEDDED_SLOW_MS = 10;

/** What every connection has in common: the entities, and nothing that TypeORM would do to the database by itself. */
function commonOptions({ entities, migrations }: DatabaseSchema, log: Logger): PostgresOptions {
  return {
    type: 'postgres',
    entities: [...entities],
    migrations: [...migrations],
    synchronize: false,
    installExtensions: false,
    logger: new DatabaseLogger(log),
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // An idle connection was lost; the pool has dropped it and opens another when it needs one.
    poolErrorHandler: (error: Error) => log.warn({ reason: error.message }, 'a database connection was lost'),
  };
}

/** For work of any length, such as migrations: one connection and no time limit on statements. */
export function maintenanceOptions(url: string, schema: DatabaseSchema, log: Logger): PostgresOptions {
  return { ...commonOptions(schema, log), url, poolSize: 1 };
}

/** For one session of any length, which a router between the two that forgets idle connections must not end. */
export function sessionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** For serving on PostgreSQL: every query ends in bounded time, also where the server or the network falls silent. */
export function postgresOptions(url: string, poolSize: number, schema: DatabaseSchema, log: Logger): PostgresOptions {
  return {
    ...commonOptions(schema, log),
    url,
    poolSize,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      stream: timeoutSocket,
    },
  };
}

function timeoutSocket(): Socket {
  const socket = new Socket();
  return socket.setTimeout(SILENCE_TIMEOUT_MS, () => socket.destroy(new Error('The database does not answer.')));
}

/**
 * For the embedded database: exactly one connection that stays open. There is one session behind it, whatever happens to
 * the connection, so a new one starts clean.
 */
export function embeddedOptions(socketFolder: string, schema: DatabaseSchema, log: Logger): PostgresOptions {
  return {
    ...commonOptions(schema, log),
    host: socketFolder,
    port: 5432,
    username: 'postgres',
    database: 'postgres',
    poolSize: 1,
    maxQueryExecutionTime: EMBEDDED_SLOW_MS,
    extra: {
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: 0,
      onConnect: async (client: Client) => {
        await client.query('ROLLBACK');
        await client.query('DISCARD ALL');
      },
    },
  };
}
