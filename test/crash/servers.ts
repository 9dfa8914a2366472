import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../support/probes/eventually.js';

const POSTGRES_SCRIPT = join(import.meta.dirname, '../../scripts/postgres.sh');

/** A row as the tests read it. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads from one database. */
export type Query = <R extends object = Row>(sql: string, values?: unknown[]) => Promise<R[]>;

/** A database, as servers reach it and as the tests read it. */
export interface TestedDatabase {
  readonly url: string;
  readonly query: Query;
}

/** A PostgreSQL that the tests stop and start as they like. */
export class Postgres {
  private readonly pools: pg.Pool[] = [];

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @throws Error where PostgreSQL is not installed */
  static async start(folder: string): Promise<Postgres> {
    const postgres = new Postgres(folder, await freePort());
    await postgres.startAgain();
    return postgres;
  }

  /** Makes an empty database. */
  async createDatabase(name: string): Promise<TestedDatabase> {
    await this.connect('postgres')(`CREATE DATABASE "${name}"`);
    return { url: this.url(name), query: this.connect(name) };
  }

  /** Starts it over the data that it has. What was in memory only is lost: there was no power cut, so nothing is. */
  startAgain(): Promise<void> {
    return run(POSTGRES_SCRIPT, ['start', this.folder, String(this.port), '-c', 'fsync=off']);
  }

  /** @param mode `fast` ends every session, `immediate` every process, without a checkpoint */
  stop(mode: 'fast' | 'immediate'): Promise<void> {
    return run(POSTGRES_SCRIPT, ['stop', this.folder, mode]);
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.end()));
    await this.stop('immediate').catch(() => undefined);
  }

  private connect(database: string): Query {
    const pool = new pg.Pool({ connectionString: this.url(database), max: 2 });
    // The server is stopped below it on purpose.
    pool.on('error', () => undefined);
    this.pools.push(pool);
    return async <R extends object>(sql: string, values?: unknown[]) => (await pool.query<R>(sql, values)).rows;
  }

  private url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }
}

/** A Redis without persistence that the tests stop and start as they like. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @throws Error where Redis is not installed */
  static async start(folder: string): Promise<RedisServer> {
    await mkdir(folder, { recursive: true });
    const redis = new RedisServer(folder, await freePort());
    await redis.startAgain();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, empty, where it was before. */
  async startAgain(): Promise<void> {
    const args = ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--dir', this.folder];
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    await eventually('redis-server is ready', 20, () => {
      if (failure) return true;
      return output.includes('Ready to accept connections');
    });
    if (failure) throw new Error('These tests need Redis: install redis-server.', { cause: failure });
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/** A port of 127.0.0.1 that nobody listens at. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Its output is not read: what it starts would keep a pipe open. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`);
}
