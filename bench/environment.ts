import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Postgres } from './postgres.js';
import { leaveFirstCore, Processes } from './processes.js';
import type { ServerProcess } from './processes.js';

/** Where a server under test keeps its data. */
export interface DataPlace {
  /** The settings that say so. */
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Ports of the scripted upstream: as many backends as a server under test can have. */
export const UPSTREAM_PORTS = 8;

/** What all measurements stand on, each part made when it is first asked for, and taken away at the end. */
export class Environment {
  readonly processes = new Processes();
  private readonly cleanUp = new AsyncDisposableStack();
  private folder: string | undefined;
  private names = 0;
  private startedUpstream: Promise<ServerProcess> | undefined;
  private startedPostgres: Promise<Postgres> | undefined;

  /** @param profile whether servers under test leave processor profiles in bench/ */
  constructor(readonly profile: boolean) {}

  /**
   * Does the work, and leaves nothing behind, even where it fails or a signal ends it.
   * @throws what the work throws
   */
  async during(work: () => Promise<void>): Promise<void> {
    leaveFirstCore();
    const ended = Promise.withResolvers<never>();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => ended.reject(new Error(`Ended by ${signal}.`)));
    }
    try {
      await Promise.race([work(), ended.promise]);
    } finally {
      await this.processes.close();
      await this.cleanUp.disposeAsync();
    }
  }

  /** A path for a file or folder that does not exist yet. */
  path(name: string): string {
    this.folder ??= this.makeFolder();
    this.names += 1;
    return join(this.folder, `${this.names}-${name}`);
  }

  /** The scripted upstream, one process on several ports. */
  upstream(): Promise<ServerProcess> {
    this.startedUpstream ??= this.processes.serve({
      args: ['--import', 'tsx', 'bench/upstream/main.ts', String(UPSTREAM_PORTS)],
      logFile: this.path('upstream.log'),
      underTest: false,
    });
    return this.startedUpstream;
  }

  /** An empty place for data: a database on PostgreSQL, or a folder for the embedded one. */
  async dataPlace(kind: 'PostgreSQL' | 'embedded'): Promise<DataPlace> {
    if (kind === 'embedded') {
      const dataDir = this.path('data');
      return {
        settings: { DATA_DIR: dataDir },
        remove: async () => rmSync(dataDir, { recursive: true, force: true }),
      };
    }
    this.startedPostgres ??= this.startPostgres();
    const database = await (await this.startedPostgres).createDatabase();
    return {
      settings: { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') },
      remove: () => database.drop(),
    };
  }

  private makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    this.cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
    // PostgreSQL runs as another user where this runs as root.
    chmodSync(folder, 0o711);
    return folder;
  }

  private async startPostgres(): Promise<Postgres> {
    const postgres = await Postgres.start(this.path('postgres'));
    this.cleanUp.defer(() => postgres.stop());
    return postgres;
  }
}
