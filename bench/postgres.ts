import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';

const SCRIPT = 'scripts/postgres.sh';
const TIMEOUT = 120_000;

/** A database of a benchmark. */
export interface BenchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A PostgreSQL of the benchmark's own, in a folder. */
export class Postgres {
  private made = 0;

  private constructor(
    private readonly folder: string,
    private readonly server: string,
  ) {}

  /** Starts it on a free port of 127.0.0.1. */
  static async start(folder: string): Promise<Postgres> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    // Its output goes into files: the server would keep a pipe open.
    execFileSync(SCRIPT, ['start', folder, String(port)], { stdio: ['ignore', 'ignore', 'inherit'], timeout: TIMEOUT });
    return new Postgres(folder, `postgres://postgres@127.0.0.1:${port}`);
  }

  /** An empty database, so that nobody works among the rows of another. */
  async createDatabase(): Promise<BenchDatabase> {
    this.made += 1;
    const name = `bench_${this.made}`;
    await this.execute(`CREATE DATABASE ${name}`);
    return {
      url: `${this.server}/${name}`,
      drop: () => this.execute(`DROP DATABASE ${name} WITH (FORCE)`),
    };
  }

  stop(): void {
    execFileSync(SCRIPT, ['stop', this.folder], { stdio: 'ignore', timeout: TIMEOUT });
  }

  private async execute(statement: string): Promise<void> {
    const client = new Client({ connectionString: `${this.server}/postgres` });
    // Where the server goes away under a statement, the statement tells.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
