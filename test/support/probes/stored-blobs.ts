import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../../src/config.js';
import type { BlobOwner, BlobRequest, WrittenBlob } from '../../../src/platform/blobs/blob.types.js';
import { Blobs } from '../../../src/platform/blobs/blobs.js';
import { isId } from '../../../src/platform/ids.js';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { createLog } from '../../../src/platform/telemetry/log.js';
import { openTestDatabase } from '../servers/database.js';
import type { OpenTestDatabase } from '../servers/database.js';
import { eventually } from './eventually.js';
import { S3Server } from '../servers/s3-server.js';

/** Whose storage tests take. */
export const OWNER: BlobOwner = { tenantId: 'ten_1', userId: 'usr_1' };
const NO_LIMITS = { tenantBytes: null, userBytes: null } as const;

/** The places where bytes may lie. */
export const PLACES = ['the data folder', 'an S3-compatible store'] as const;

/** Blobs of several processes on one database, each with a data folder. */
export class StoredBlobs {
  /** Every line that was logged. */
  readonly logLines: string[] = [];
  private readonly opened: Blobs[] = [];

  private constructor(
    private readonly database: OpenTestDatabase,
    readonly server: S3Server,
    /** Where the first process keeps its data. */
    readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * Opens a database and a store of its own.
   * @param env start-up variables beside those
   */
  static async open(place: (typeof PLACES)[number], env: Readonly<Record<string, string>> = {}): Promise<StoredBlobs> {
    const server = await S3Server.start();
    const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'blobs-')));
    const url: Record<string, string> = place === 'the data folder' ? {} : { S3_URL: server.url() };
    return new StoredBlobs(await openTestDatabase(), server, dataDir, { ...url, ...env });
  }

  /** Opens what another process has left; with its environment. */
  static reopen(database: OpenTestDatabase, server: S3Server): StoredBlobs {
    return new StoredBlobs(database, server, database.env.DATA_DIR ?? '', {});
  }

  private get isFolder(): boolean {
    return !('S3_URL' in { ...this.database.env, ...this.env });
  }

  get dataSource(): OpenTestDatabase['database']['dataSource'] {
    return this.database.database.dataSource;
  }

  /**
   * Opens the blobs of a process that is alive.
   * @param env start-up variables of its own
   * @param alive how many processes it knows to be alive
   */
  async start(processId = 'this', env: Readonly<Record<string, string>> = {}, alive = 1): Promise<Blobs> {
    const sql = "INSERT INTO processes (id, alive_until) VALUES ($1, now() + interval '1 hour') ON CONFLICT DO NOTHING";
    await this.dataSource.query(sql, [processId]);
    const config = readConfig({
      DISK_RESERVE_BYTES: '0',
      ...this.database.env,
      DATA_DIR: this.dataDir,
      ...this.env,
      ...env,
    });
    const log = createLog('debug', { write: (line: string) => void this.logLines.push(line) });
    const lease = { id: processId, alive, isPastGracePeriod: true };
    const disk = new DiskSpace(config.diskReserveBytes, log);
    const blobs = await Blobs.open({ config, database: this.database.database, lease, disk, log });
    this.opened.push(blobs);
    return blobs;
  }

  /** Ends the lease of a process, as its death does. */
  async kill(processId: string): Promise<void> {
    await this.dataSource.query('DELETE FROM processes WHERE id = $1', [processId]);
  }

  keep(blobs: Blobs, ...keys: string[]): Promise<void> {
    return this.dataSource.transaction((tx) => blobs.keep(tx, keys));
  }

  release(blobs: Blobs, ...keys: string[]): Promise<void> {
    return this.dataSource.transaction((tx) => blobs.release(tx, keys));
  }

  /** Every row, in the order of their making. */
  rows(): Promise<{ key: string; state: string; size: number; user_id: string | null }[]> {
    return this.dataSource.query('SELECT key, state, size_bytes::float8 AS size, user_id FROM blobs ORDER BY key');
  }

  /** What is counted, by tenant and user. */
  async usage(): Promise<Record<string, number>> {
    const sql = 'SELECT subject, bytes::float8 AS bytes FROM storage_usage';
    const rows = await this.dataSource.query<{ subject: string; bytes: number }[]>(sql);
    return Object.fromEntries(rows.map(({ subject, bytes }) => [subject, bytes]));
  }

  /** What must be counted, by tenant and user. */
  async sums(): Promise<Record<string, number>> {
    const sql = `
      SELECT subject, sum(size_bytes)::float8 AS bytes FROM blobs, unnest(ARRAY[tenant_id, user_id]) AS subject
      WHERE subject IS NOT NULL GROUP BY subject`;
    const rows = await this.dataSource.query<{ subject: string; bytes: number }[]>(sql);
    return Object.fromEntries(rows.map(({ subject, bytes }) => [subject, bytes]));
  }

  /** The paths of all files with bytes below the data folder's. */
  async files(): Promise<string[]> {
    const names = await readdir(join(this.dataDir, 'blobs'), { recursive: true }).catch(() => []);
    return names.filter((path) => isId('blob', path.replace(/^.*\//, '').replace(/\.part$/, '')));
  }

  /** The names of all that lies in the store, without the folders that they are in. */
  async names(): Promise<string[]> {
    if (!this.isFolder) return [...this.server.objects.keys()].map((name) => name.replace(/^.*\//, ''));
    const entries = await this.entries();
    // The marker of the folder, and drafts of it.
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('folder.id')).map(({ name }) => name);
  }

  /** Puts bytes into the store of which no row knows. */
  async put(name: string): Promise<void> {
    const [root] = await this.dataSource.query<{ name: string }[]>('SELECT name FROM blob_root');
    const path = `${root?.name}/${name.at(-2)}/${name.at(-1)}/${name}`;
    if (!this.isFolder) {
      this.server.objects.set(`some/prefix/${path}`, { bytes: Buffer.from('?'), modifiedAt: new Date() });
      return;
    }
    const file = join(this.dataDir, 'blobs', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '?');
  }

  /** Lets all that lies in the store be older. */
  async age(hours: number): Promise<void> {
    this.server.age(hours);
    const at = new Date(Date.now() - hours * 3_600_000);
    if (this.isFolder)
      for (const { parentPath, name } of await this.entries()) await utimes(join(parentPath, name), at, at);
  }

  /** Waits until there is neither a row, nor a byte, nor anything that is counted. */
  async untilEmpty(): Promise<void> {
    await eventually('nothing is left', 10, async () => {
      const left = [await this.rows(), await this.names(), [...this.server.uploads], Object.keys(await this.usage())];
      return left.every(({ length }) => length === 0);
    });
  }

  async close(): Promise<void> {
    for (const blobs of this.opened) await blobs.close();
    await this.database.close();
    if (this.env.DATA_DIR === undefined) await rm(this.dataDir, { recursive: true, force: true });
    await this.server.close();
  }

  private entries() {
    return readdir(join(this.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  }
}

/** What a test asks for a write. */
export function request(options: Partial<BlobRequest> = {}): BlobRequest {
  return { kind: 'test', maxBytes: 1e9, limits: NO_LIMITS, signal: new AbortController().signal, ...options };
}

/** Writes bytes that come in one piece. */
export function writeBytes(blobs: Blobs, bytes: Buffer, options: Partial<BlobRequest> = {}): Promise<WrittenBlob> {
  return blobs.write(OWNER, request(options), pieces(bytes));
}

/** Bytes that come one after another. */
export async function* pieces(...all: Buffer[]): AsyncGenerator<Buffer> {
  yield* all;
}

/**
 * A source of so many bytes that never ends after them.
 * @param onSilence called when more is waited for
 */
export async function* silentAfter(bytes: number, onSilence?: () => void): AsyncGenerator<Buffer> {
  if (bytes > 0) yield randomBytes(bytes);
  if (onSilence) setImmediate(onSilence);
  await new Promise(() => undefined);
}

/** All bytes of a blob, or of a part of it; undefined where it is gone. */
export async function readBytes(
  blobs: Blobs,
  key: string,
  range: { start?: number; end?: number } = {},
): Promise<Buffer | undefined> {
  const bytes = await blobs.open(key, { ...range, signal: new AbortController().signal });
  return bytes && (await buffer(bytes));
}

/** As 64 hex digits. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The tasks of blobs, as the server runs them. */
export async function sweep(blobs: Blobs): Promise<void> {
  for (const task of blobs.tasks) await task.run();
}
