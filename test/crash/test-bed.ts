import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ScenarioEnvironment } from './scenario.js';
import { Postgres } from './servers.js';

/** A folder and a PostgreSQL for tests with real processes; nothing that is started on it outlives this process. */
export class TestBed {
  private playing: ScenarioEnvironment | undefined;

  private constructor(
    readonly folder: string,
    private readonly postgres: Postgres,
  ) {}

  /** @param name what the folder's name begins with. Ends the process where a program is missing */
  static async start(name: string): Promise<TestBed> {
    requirePrograms();
    const folder = await mkdtemp(join(tmpdir(), `${name}-`));
    // PostgreSQL runs as another user where this runs as root.
    chmodSync(folder, 0o711);
    const bed = new TestBed(folder, await Postgres.start(join(folder, 'postgres')));
    for (const end of ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection']) {
      process.once(end, async (reason: unknown) => {
        console.error(reason);
        await bed.playing?.close();
        await bed.postgres.close();
        fail(`Ended by ${end}.`);
      });
    }
    return bed;
  }

  /** An environment with a folder of its own, to be closed before the next one is made. */
  async openEnvironment(name: string, rounds: number, seed: number, isSample = false): Promise<ScenarioEnvironment> {
    const folder = join(this.folder, name.replaceAll(' ', '-'));
    await mkdir(folder);
    this.playing = new ScenarioEnvironment(folder, this.postgres, rounds, seed, isSample);
    return this.playing;
  }

  /** Ends PostgreSQL. @param keepsLogs whether the folder stays */
  async close(keepsLogs: boolean): Promise<void> {
    await this.postgres.close();
    if (!keepsLogs) await rm(this.folder, { recursive: true });
  }
}

/** Ends the process with a message for its operator. */
export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Says at once what is missing, and where it comes from. */
function requirePrograms(): void {
  const path = (process.env.PATH ?? '').split(delimiter);
  const has = (program: string) => path.some((directory) => existsSync(join(directory, program)));
  const packaged = '/usr/lib/postgresql';
  const hasPostgres = has('pg_ctl') || (existsSync(packaged) && readdirSync(packaged).length > 0);
  const missing = [...(hasPostgres ? [] : ['postgresql']), ...(has('redis-server') ? [] : ['redis-server'])];
  if (missing.length === 0) return;
  fail(`These tests start their own servers and need ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`);
}
