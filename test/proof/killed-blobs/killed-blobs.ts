import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { buildServer, COMPILE_CACHE } from '../../support/servers/built-server.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { S3Server } from '../../support/servers/s3-server.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { StoredBlobs } from '../../support/probes/stored-blobs.js';
import type { PLACES } from '../../support/probes/stored-blobs.js';

const PROCESS = join(import.meta.dirname, 'blob-process.ts');

/** A process that stores blobs and is killed (`blob-process.ts`), and what it leaves. */
export class KilledBlobs {
  private left: StoredBlobs | undefined;

  private constructor(
    private readonly database: TestDatabase,
    readonly server: S3Server,
    private readonly env: Record<string, string>,
  ) {}

  static async prepare(place: (typeof PLACES)[number]): Promise<KilledBlobs> {
    const server = await S3Server.start();
    const database = await createTestDatabaseFolder();
    const url: Record<string, string> = place === 'the data folder' ? {} : { S3_URL: server.url() };
    return new KilledBlobs(database, server, { ...database.env, ...url });
  }

  /** Runs a process that ends itself, or is killed when it is ready. @returns what it says */
  async run(command: string, afterMs = 0): Promise<string> {
    await buildServer();
    const child = spawn(process.execPath, ['--expose-gc', PROCESS, command], {
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...this.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', async (text: Buffer) => {
      said += text.toString();
      if (!said.includes('ready')) return;
      await delay(afterMs);
      child.kill('SIGKILL');
    });
    const [code] = await once(child, 'close');
    if (code) throw new Error(`It ended with ${code}.`);
    return said;
  }

  /** Opens what it has left; its lease is over. */
  async reopen(): Promise<StoredBlobs> {
    const database = await openDatabase(readConfig(this.env), schema, silentLog);
    const close = () => database.close().then(this.database.drop);
    this.left = StoredBlobs.reopen({ database, env: this.env, close }, this.server);
    await this.left.dataSource.query('DELETE FROM processes');
    return this.left;
  }

  async close(): Promise<void> {
    if (this.left) return this.left.close();
    await this.database.drop();
    await this.server.close();
  }
}
