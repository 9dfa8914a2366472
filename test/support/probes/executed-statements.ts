import type { Client, Pool } from 'pg';
import type { Platform } from '../servers/platform.js';

/** A statement at the moment at which a connection takes it. */
interface ExecutedStatement {
  readonly text: string;
  /** How many requests for a connection wait behind it. */
  readonly waiting: number;
}

/** The pool of a platform's connections. */
export function poolOf(platform: Platform): Pool {
  return (platform.app.database.dataSource.driver as unknown as { readonly master: Pool }).master;
}

/** Writes down all statements from now on, in the order in which connections take them. */
export function recordExecuted(platform: Platform): readonly ExecutedStatement[] & Disposable {
  const pool = poolOf(platform);
  const recorded: ExecutedStatement[] = [];
  const original = new Map<Client, Client['query']>();
  const record = (client: Client): void => {
    if (original.has(client)) return;
    const { query } = client;
    original.set(client, query);
    client.query = function recording(this: Client, ...args: unknown[]) {
      const [asked] = args as [string | { readonly text: string }];
      recorded.push({ text: typeof asked === 'string' ? asked : asked.text, waiting: pool.waitingCount });
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as Client['query'];
  };
  pool.on('acquire', record);
  return Object.assign(recorded, {
    [Symbol.dispose]: () => {
      pool.off('acquire', record);
      for (const [client, query] of original) client.query = query;
    },
  });
}

/** Keeps the only connection of a platform busy. @returns lets it go, when that is done */
export async function holdConnection(platform: Platform): Promise<() => Promise<void>> {
  const client = await poolOf(platform).connect();
  return async () => client.release();
}
