import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { Unavailable } from '../../errors.js';
import type { BlobOwner, BlobStat, BlobState, StorageLimits } from './blob.types.js';
import { addStorage, subtractStorage } from './storage-counters.js';
import type { ReleasedBytes } from './storage-counters.js';

const INSERT = `
  INSERT INTO blobs (key, tenant_id, user_id, kind, size_bytes, state, process_id, store, created_at)
  VALUES ($1, $2, $3, $4, $5, 'writing', $6, $7, now())`;
const OWN = "key = $1 AND process_id = $2 AND state = 'writing'";
const GROW = `UPDATE blobs SET size_bytes = size_bytes + $3 WHERE ${OWN} RETURNING key`;
const FINISH = `UPDATE blobs SET size_bytes = $3, sha256 = $4 WHERE ${OWN} RETURNING key`;
const LOCK_WRITTEN = `
  SELECT FROM blobs WHERE key = ANY($1) AND process_id = $2 AND state = 'writing' AND sha256 IS NOT NULL
  ORDER BY key FOR UPDATE`;
const LOCK_FOR_RELEASE = `
  SELECT key, tenant_id AS "tenantId", user_id AS "userId", size_bytes::float8 AS "sizeBytes" FROM blobs
  WHERE key = ANY($1) AND state = ANY($2) ORDER BY key FOR UPDATE`;
/** Whose it was, and what was in it, is nobody's business any more. */
const RELEASE = `
  UPDATE blobs SET state = 'released', tenant_id = NULL, user_id = NULL, sha256 = NULL, delete_after = now()
  WHERE key = ANY($1)`;
const FIND = `
  SELECT key, tenant_id AS "tenantId", user_id AS "userId", kind, size_bytes::float8 AS "sizeBytes", sha256, store
  FROM blobs WHERE key = $1 AND state <> 'released' AND sha256 IS NOT NULL`;
const STORE_OF = "SELECT store FROM blobs WHERE key = $1 AND state <> 'released'";
const OF_OWNER = {
  user: 'SELECT key FROM blobs WHERE user_id = $1 LIMIT $2',
  tenant: 'SELECT key FROM blobs WHERE tenant_id = $1 LIMIT $2',
} as const;
const MAKE_ROOT = 'INSERT INTO blob_root (name) VALUES ($1) ON CONFLICT (id) DO NOTHING';

/** A row that is to be made. */
interface NewBlob extends BlobOwner {
  readonly key: string;
  readonly kind: string;
  readonly store: string;
  /** What is reserved with it. */
  readonly bytes: number;
}

/** What is known of a blob, and where it lies. */
export interface FoundBlob extends BlobStat {
  readonly store: string;
}

/** The rows of blobs, with which alone the counters of storage move. */
export class BlobRows {
  constructor(
    private readonly dataSource: DataSource,
    /** Of the process that writes. */
    private readonly processId: string,
  ) {}

  /** Makes the row of a blob. @throws StorageExceeded */
  async insert(blob: NewBlob, limits: StorageLimits): Promise<void> {
    const { key, tenantId, userId, kind, bytes, store } = blob;
    await this.dataSource.transaction(async (tx) => {
      await tx.query(INSERT, [key, tenantId, userId, kind, bytes, this.processId, store]);
      await addStorage(tx, blob, bytes, limits);
    });
  }

  /** Reserves more for a blob that is being written. @throws StorageExceeded; Unavailable where it was released */
  async grow(key: string, owner: BlobOwner, bytes: number, limits: StorageLimits): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.update(tx, GROW, [key, this.processId, bytes]);
      await addStorage(tx, owner, bytes, limits);
    });
  }

  /**
   * Says what a blob is whose bytes are all there, and gives back what was reserved too much.
   * @throws Unavailable where it was released
   */
  async finish({ sizeBytes, ...blob }: BlobStat, reservedBytes: number): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.update(tx, FINISH, [blob.key, this.processId, sizeBytes, blob.sha256]);
      await subtractStorage(tx, [{ ...blob, sizeBytes: reservedBytes - sizeBytes }]);
    });
  }

  /** Marks written blobs as used. @throws Error where one is none of this process's, or gone */
  async keep(tx: EntityManager, keys: readonly string[]): Promise<void> {
    const locked = await tx.query<object[]>(LOCK_WRITTEN, [keys, this.processId]);
    if (locked.length !== new Set(keys).size) throw new Error('A blob to keep is gone, or of another process.');
    await tx.query("UPDATE blobs SET state = 'kept' WHERE key = ANY($1)", [keys]);
  }

  /** Releases those of the blobs that are in one of these states. @returns their keys */
  async release(tx: EntityManager, keys: readonly string[], states: readonly BlobState[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await tx.query<(ReleasedBytes & { key: string })[]>(LOCK_FOR_RELEASE, [keys, states]);
    const released = rows.map(({ key }) => key);
    await tx.query(RELEASE, [released]);
    await subtractStorage(tx, rows);
    return released;
  }

  /** A blob whose bytes are all there, and that is not released. */
  async find(key: string): Promise<FoundBlob | undefined> {
    const [row] = await this.dataSource.query<FoundBlob[]>(FIND, [key]);
    return row;
  }

  /** Where a blob lies that is not released. */
  async storeOf(key: string, manager: EntityManager = this.dataSource.manager): Promise<string | undefined> {
    const [row] = await manager.query<{ store: string }[]>(STORE_OF, [key]);
    return row?.store;
  }

  /** Some keys of a user or a tenant. */
  async keysOf(tx: EntityManager, kind: 'tenant' | 'user', id: string, limit: number): Promise<string[]> {
    return (await tx.query<{ key: string }[]>(OF_OWNER[kind], [id, limit])).map(({ key }) => key);
  }

  /** The name below which stores keep what is this database's; made when it is first asked for. */
  async root(): Promise<string> {
    const read = () => this.dataSource.query<{ name: string }[]>('SELECT name FROM blob_root');
    const [found] = await read();
    if (found) return found.name;
    await this.dataSource.query(MAKE_ROOT, [randomUUID()]);
    return ((await read()) as [{ name: string }])[0].name;
  }

  private async update(tx: EntityManager, sql: string, values: readonly unknown[]): Promise<void> {
    const [rows] = await tx.query<[object[], number]>(sql, [...values]);
    // This process was taken for dead, or the owner was deleted.
    if (rows.length === 0) throw new Unavailable('The file could not be stored. Please try again.');
  }
}
