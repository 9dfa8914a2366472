import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Unavailable } from '../../errors.js';
import { unlessAborted } from '../async/unless-aborted.js';
import type { PeriodicTask } from '../async/periodic.js';
import type { ProcessLease } from '../cluster/process-lease.js';
import { AfterCommit } from '../database/after-commit.js';
import type { Database } from '../database/database.js';
import { newId } from '../ids.js';
import { OperationalError, systemCode } from '../operational-error.js';
import type { CheckState } from '../telemetry/health.js';
import type { Gauge } from '../telemetry/metrics.js';
import { BlobDeletions } from './blob-deletions.js';
import { BlobGauges } from './blob-gauges.js';
import { BlobHealth } from './blob-health.js';
import { BlobIntake } from './blob-intake.js';
import { BlobRows } from './blob-rows.js';
import type { FoundBlob } from './blob-rows.js';
import { BlobStoreError } from './blob-store-error.js';
import { BlobSweeper } from './blob-sweeper.js';
import type { BlobOwner, BlobRequest, BlobStat, BlobStore, ByteRange, OpenedBytes, WrittenBlob } from './blob.types.js';
import { eraseBlobs } from './erase-blobs.js';
import type { BlobErasure } from './erase-blobs.js';
import { FolderStore } from './folder-store.js';
import { readBlob } from './read-blob.js';
import type { BlobsConfig } from './config.js';
import type { DiskSpace } from '../scratch/disk-space.js';

const SWEEP_MS = 10_000;
const COUNT_MS = 60_000;
/** A folder that hangs must not stop jobs without files. It is asked once at a time, since each question holds a thread. */
const STORE_ID_MS = 2_000;
const NOT_STORED = 'Files cannot be stored at the moment.';
const ELSEWHERE = 'The file is stored on another server, which this one cannot read.';
const NOT_READ = 'The file cannot be read at the moment.';

interface BlobsParts {
  readonly config: BlobsConfig & { readonly dataDir: string };
  readonly database: Pick<Database, 'dataSource'>;
  readonly lease: { readonly id: string; readonly alive: number } & Pick<ProcessLease, 'isPastGracePeriod'>;
  readonly disk: DiskSpace;
  readonly log: Logger;
}

/**
 * The bytes of files, in the data folder or in an S3-compatible store. Each blob has a row from before its first byte
 * until its last one is deleted, and takes the storage of a user and of a tenant from then until it is released.
 * Whoever writes one keeps it in the transaction that makes the row which uses it, or discards it. A key opens its blob:
 * who may is asked by whoever has the row that uses it, and keys are never told to clients.
 */
export class Blobs {
  private readonly rows: BlobRows;
  private readonly sweeper: BlobSweeper;
  private readonly counts: BlobGauges;
  /** Blobs that are this process's to keep or to discard; its others in state `writing` are left over. */
  private readonly owned = new Set<string>();
  private readonly afterCommit: AfterCommit;
  private readonly deletions: BlobDeletions;
  private readonly health: BlobHealth;
  private askedId: Promise<string | undefined> | undefined;

  private constructor(
    private readonly parts: BlobsParts,
    private readonly store: BlobStore,
    rows: BlobRows,
    /** Fails as the database does, before a store is asked that needs it. */
    private readonly root: () => Promise<string>,
  ) {
    const { database, lease, log } = parts;
    const { dataSource } = database;
    this.rows = rows;
    this.sweeper = new BlobSweeper({ dataSource, lease, log, store, rows, isOwned: (key) => this.owned.has(key) });
    this.afterCommit = new AfterCommit(dataSource);
    this.deletions = new BlobDeletions(this.sweeper, this.afterCommit, log);
    this.counts = new BlobGauges(dataSource);
    this.health = new BlobHealth({ store, isShared: parts.config.s3Url !== undefined, lease, log });
  }

  /** Opens the store that the configuration names; one that is away is noticed when it is used. */
  static async open(parts: BlobsParts): Promise<Blobs> {
    const rows = new BlobRows(parts.database.dataSource, parts.lease.id);
    const { s3Url, dataDir } = parts.config;
    let name: string | undefined;
    const root = async (): Promise<string> => (name ??= await rows.root());
    if (s3Url === undefined) return new Blobs(parts, new FolderStore(dataDir, root, parts.disk), rows, root);
    // A client of some size, that few need.
    const { S3Store } = await import('./s3-store.js');
    return new Blobs(parts, new S3Store(s3Url, root), rows, root);
  }

  /** How many blobs there are, and how large they are together, over all processes. */
  get gauges(): readonly Gauge[] {
    return this.counts.gauges;
  }

  /** How the store does. @throws where the signal has ended it */
  check(signal?: AbortSignal): Promise<CheckState> {
    return this.health.check(signal);
  }

  /** Deletes what nobody uses, of this process and of dead ones, and what no row knows. */
  get tasks(): readonly PeriodicTask[] {
    return [
      { name: 'deleting files that nobody uses', intervalMs: SWEEP_MS, run: () => this.sweeper.sweep() },
      { name: 'counting files', intervalMs: COUNT_MS, run: () => this.counts.refresh() },
    ];
  }

  /**
   * Stores bytes, in constant memory, and as fast as the source gives them and the store takes them. When it resolves
   * they survive a power cut, and the blob is this process's to keep or to discard. What fails leaves nothing.
   * @throws StorageExceeded over a limit of the owner; PayloadTooLarge over `maxBytes`; Unavailable where the store is
   * away, full or read-only; the signal's reason; what the source throws
   */
  async write(owner: BlobOwner, request: BlobRequest, source: AsyncIterable<Uint8Array>): Promise<WrittenBlob> {
    const { kind, expectedBytes = 0, maxBytes, limits, signal } = request;
    signal.throwIfAborted();
    const key = newId('blob');
    const reservedBytes = Math.min(expectedBytes, maxBytes);
    await this.root();
    const store = await this.store.prepare().catch((error: unknown) => {
      throw this.unavailable(error, NOT_STORED);
    });
    const intake = new BlobIntake({
      source,
      maxBytes,
      signal,
      reservedBytes,
      reserve: (bytes) => this.rows.grow(key, owner, bytes, limits),
    });
    this.owned.add(key);
    let hasBegun = false;
    try {
      await this.rows.insert({ ...owner, key, kind, store, bytes: reservedBytes }, limits);
      hasBegun = true;
      await this.store
        .write(key, intake.bytes(), { maxBytes, expectedBytes: reservedBytes, signal })
        .catch((error: unknown) => {
          if (intake.hasFailed) throw error;
          signal.throwIfAborted();
          throw this.unavailable(error, NOT_STORED);
        });
      signal.throwIfAborted();
      const written = { key, sizeBytes: intake.sizeBytes, sha256: intake.digest() };
      await this.rows.finish({ ...owner, ...written, kind }, intake.reservedBytes);
      return written;
    } catch (error) {
      const released = await this.giveUp([key]);
      // Somebody else has released it, and what they deleted may have been written since.
      if (hasBegun && released.length === 0) this.deletions.deleteBytes(key);
      throw error;
    }
  }

  /**
   * Keeps blobs that this process has written, in the transaction that makes the rows which use them.
   * @throws Error where one is not this process's, or gone; then nothing may be committed
   */
  async keep(tx: EntityManager, keys: readonly string[]): Promise<void> {
    // First: it refuses what is no transaction.
    this.afterCommit.run(tx, () => keys.forEach((key) => this.owned.delete(key)));
    await this.rows.keep(tx, keys);
  }

  /** Deletes blobs that this process has written, and not kept; others are left alone. It never throws. */
  async discard(keys: readonly string[]): Promise<void> {
    await this.giveUp(keys.filter((key) => this.owned.has(key)));
  }

  /**
   * Gives up kept blobs, in the transaction that deletes the rows which used them; once, and as its last statement. They
   * take no storage any more when it is committed, and their bytes are deleted soon after. What is released already, or
   * unknown, is nothing.
   */
  async release(tx: EntityManager, keys: readonly string[]): Promise<void> {
    this.deletions.deleteAfter(tx, await this.rows.release(tx, keys, ['kept']));
  }

  /** Releases all blobs of a user, those that are being written too. */
  readonly eraseUser = ({ id }: { readonly id: string }, erasure: BlobErasure): Promise<void> =>
    eraseBlobs({ kind: 'user', id }, erasure, { rows: this.rows, deletions: this.deletions });

  /** As `eraseUser`, for a tenant. */
  readonly eraseTenant = ({ id }: { readonly id: string }, erasure: BlobErasure): Promise<void> =>
    eraseBlobs({ kind: 'tenant', id }, erasure, { rows: this.rows, deletions: this.deletions });

  /** What is known of a blob whose bytes are all there; undefined: it is gone. */
  async stat(key: string): Promise<BlobStat | undefined> {
    const found = await this.rows.find(key);
    if (!found) return undefined;
    const { store: _, ...stat } = found;
    return stat;
  }

  /** The id of this process's store; undefined where nothing was ever written to it, or it does not answer in 2 s. */
  async storeId(): Promise<string | undefined> {
    this.askedId ??= this.store
      .id()
      .catch(() => undefined)
      .finally(() => (this.askedId = undefined));
    return unlessAborted(this.askedId, AbortSignal.timeout(STORE_ID_MS)).catch(() => undefined);
  }

  /** The id of the store in which a blob lies, without S3_URL the data folder of whoever wrote it; undefined: it is gone. */
  storeOf(key: string, manager?: EntityManager): Promise<string | undefined> {
    return this.rows.storeOf(key, manager);
  }

  /** Whether a blob lies in a store that this process does not have. A blob that is gone does not. */
  async isElsewhere(key: string): Promise<boolean> {
    const store = await this.storeOf(key);
    return store !== undefined && store !== (await this.store.id());
  }

  /**
   * Opens a blob, or a part of it. What it answers is read once, or given up by the signal.
   * @returns undefined where the blob is gone
   * @throws RangeError for a range that begins before 0 or ends before it begins; Unavailable where the store is away,
   * or the blob is elsewhere
   */
  async open(
    key: string,
    { start = 0, end = Number.POSITIVE_INFINITY, signal }: ByteRange & { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (start < 0 || end < start) throw new RangeError('A range begins at 0 or later, and ends after that.');
    const found = await this.rows.find(key);
    if (!found) return undefined;
    const { sizeBytes } = found;
    const bytes = { start: Math.min(start, sizeBytes), end: Math.min(end, sizeBytes), sizeBytes };
    if (bytes.start === bytes.end) return nothing();
    await this.root();
    const stream = await this.openStream(found, bytes, signal);
    return stream && readBlob(stream, signal, (error) => this.unavailable(error, NOT_READ));
  }

  /** Waits for what is being deleted, and closes the connections of the store. */
  async close(): Promise<void> {
    await this.deletions.close();
    this.store.close();
  }

  private async openStream(
    { key, store }: FoundBlob,
    bytes: OpenedBytes,
    signal: AbortSignal,
  ): Promise<Readable | undefined> {
    const { log } = this.parts;
    try {
      if (store !== (await this.store.id())) return this.refuseElsewhere(key, store);
      const stream = await this.store.open(key, bytes, signal);
      // Unless it was released meanwhile, somebody has taken it away.
      if (!stream && (await this.rows.find(key)))
        log.error({ blob: key }, 'the bytes of a file are missing or damaged');
      return stream;
    } catch (error) {
      signal.throwIfAborted();
      throw this.unavailable(error, NOT_READ);
    }
  }

  /** Nothing is wrong with this store. The operator is told by `check` that there are several. */
  private refuseElsewhere(blob: string, store: string): never {
    this.parts.log.info(
      { blob, store },
      'a requested file is stored by another process: set S3_URL to share files between processes',
    );
    throw new Unavailable(ELSEWHERE);
  }

  /** @returns those that were not given up before */
  private async giveUp(keys: readonly string[]): Promise<readonly string[]> {
    const { database, log } = this.parts;
    try {
      return await database.dataSource.transaction(async (tx) => {
        const released = await this.rows.release(tx, keys, ['writing']);
        this.deletions.deleteAfter(tx, released);
        return released;
      });
    } catch (error) {
      log.warn({ err: error }, 'a file that nobody uses is deleted later');
      return keys;
    } finally {
      // From now on it is left over, where it is still there.
      for (const key of keys) this.owned.delete(key);
    }
  }

  /** What a client is told of a store that does not work; the log has the reason. */
  private unavailable(error: unknown, message: string): Error {
    const isOfStore = error instanceof BlobStoreError || error instanceof OperationalError || systemCode(error) !== '';
    if (!isOfStore || error instanceof Unavailable) return error as Error;
    // A system error names the path; of any other the message was written by us.
    const reason = systemCode(error) || (error as Error).message;
    this.parts.log.error({ reason }, 'the store of files does not work');
    return new Unavailable(message);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
