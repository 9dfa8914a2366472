import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { ProcessLease } from '../cluster/process-lease.js';
import type { BlobRows } from './blob-rows.js';
import type { BlobStore, StoredBytes } from './blob.types.js';

/** Rows in one transaction. */
const ROWS = 50;
/** Batches of a listing in one sweep; the next one goes on. */
const LISTED_BATCHES = 20;
const DELETE_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
/**
 * Longer than a sweep usually takes; what a dead process has claimed is free. Where another begins all the same, both
 * delete the same, which is fine.
 */
const CLAIM = `
  INSERT INTO blob_sweeps AS s (store, process_id, claimed_until) VALUES ($1, $2, now() + interval '2 minutes')
  ON CONFLICT (store) DO UPDATE SET process_id = excluded.process_id, claimed_until = excluded.claimed_until
  WHERE s.process_id = excluded.process_id OR s.claimed_until < now()
    OR NOT EXISTS (SELECT FROM processes p WHERE p.id = s.process_id AND p.alive_until > now())
  RETURNING coalesce(listed_at < now() - interval '1 day', true) AS "isListingDue"`;
const LISTED = 'UPDATE blob_sweeps SET listed_at = now() WHERE store = $1';

const LEFT_OVER_HERE = "SELECT key FROM blobs WHERE state = 'writing' AND process_id = $1";
const LEFT_OVER = `
  SELECT key FROM blobs b WHERE state = 'writing' AND process_id <> $1
    AND NOT EXISTS (SELECT FROM processes p WHERE p.id = b.process_id AND p.alive_until > now())
  LIMIT $2`;
const RELEASED = `
  SELECT key FROM blobs WHERE state = 'released' AND store = $1 AND delete_after <= now()
  ORDER BY delete_after LIMIT $2`;
const STILL_RELEASED = "SELECT key FROM blobs WHERE state = 'released' AND store = $1 AND key = ANY($2)";
const FORGET = "DELETE FROM blobs WHERE key = $1 AND state = 'released'";
const DELETE_LATER =
  "UPDATE blobs SET delete_after = now() + interval '1 minute' WHERE key = $1 AND state = 'released'";
const KNOWN = 'SELECT key FROM blobs WHERE key = ANY($1)';

interface BlobSweeperParts {
  readonly dataSource: DataSource;
  readonly lease: { readonly id: string } & Pick<ProcessLease, 'isPastGracePeriod'>;
  readonly log: Logger;
  readonly store: BlobStore;
  readonly rows: BlobRows;
  /** Whether a blob is still this process's to keep or to discard. */
  isOwned(key: string): boolean;
}

/**
 * Deletes what nobody uses: blobs whose writer died or forgot them, those that were released, and bytes that no row
 * knows. A row is there before its bytes and as long as they are, so what a live process writes is never touched.
 */
export class BlobSweeper {
  private listing: AsyncGenerator<readonly StoredBytes[]> | undefined;

  constructor(private readonly parts: BlobSweeperParts) {}

  /** One turn, for the store of this process; one process at a time has it. @throws what the store does */
  async sweep(): Promise<void> {
    await this.releaseLeftOver();
    const { dataSource, lease, store } = this.parts;
    const id = await store.id();
    if (id === undefined) return;
    const [claim] = await dataSource.query<{ isListingDue: boolean }[]>(CLAIM, [id, lease.id]);
    if (!claim) {
      await this.listing?.return(undefined);
      this.listing = undefined;
      return;
    }
    for (let found = ROWS; found === ROWS;) {
      const keys = await this.keys(RELEASED, [id, ROWS]);
      await this.deleteReleased(keys);
      found = keys.length;
    }
    if (claim.isListingDue && (await this.deleteUnknown())) await dataSource.query(LISTED, [id]);
  }

  /** Deletes the bytes of those blobs that are released and lie in this store, and then their rows. */
  async deleteReleased(keys: readonly string[]): Promise<void> {
    const { dataSource, store } = this.parts;
    if (keys.length === 0) return;
    for (const key of await this.keys(STILL_RELEASED, [await store.id(), keys])) {
      try {
        await this.deleteBytes(key);
      } catch (error) {
        // Others come first the next time.
        await dataSource.query(DELETE_LATER, [key]);
        throw error;
      }
      await dataSource.query(FORGET, [key]);
    }
  }

  /** Deletes the bytes of a key. */
  deleteBytes(key: string): Promise<void> {
    return this.parts.store.delete(key, AbortSignal.timeout(DELETE_MS));
  }

  private async releaseLeftOver(): Promise<void> {
    const { lease, rows, dataSource } = this.parts;
    const ofThis = (await this.keys(LEFT_OVER_HERE, [lease.id])).filter((key) => !this.parts.isOwned(key));
    // After an outage the others have not yet told that they are alive.
    const ofOthers = lease.isPastGracePeriod ? await this.keys(LEFT_OVER, [lease.id, ROWS]) : [];
    const keys = [...ofThis.slice(0, ROWS), ...ofOthers];
    await dataSource.transaction((tx) => rows.release(tx, keys, ['writing']));
    if (ofThis.length > ROWS || ofOthers.length === ROWS) await this.releaseLeftOver();
  }

  /** @returns whether all that lies in the store was looked at */
  private async deleteUnknown(): Promise<boolean> {
    const listing = (this.listing ??= this.parts.store.list());
    try {
      for (let batches = 0; batches < LISTED_BATCHES; batches += 1) {
        const { done, value } = await listing.next();
        if (!done) {
          await this.deleteForgotten(value);
          continue;
        }
        this.listing = undefined;
        return true;
      }
    } catch (error) {
      this.listing = undefined;
      throw error;
    }
    return false;
  }

  private async deleteForgotten(stored: readonly StoredBytes[]): Promise<void> {
    const { log } = this.parts;
    const old = stored.filter(({ modifiedAt }) => modifiedAt.getTime() < Date.now() - DAY_MS).map(({ key }) => key);
    if (old.length === 0) return;
    const known = new Set(await this.keys(KNOWN, [old]));
    const unknown = old.filter((key) => !known.has(key));
    for (const key of unknown) await this.deleteBytes(key);
    if (unknown.length > 0) log.info({ files: unknown.length }, 'bytes were deleted that no row knows');
  }

  private async keys(sql: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.parts.dataSource.query<{ key: string }[]>(sql, [...values])).map(({ key }) => key);
  }
}
