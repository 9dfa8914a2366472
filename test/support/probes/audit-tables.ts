import type { EntityManager } from 'typeorm';
import { ENTRY_COLUMNS } from '../../../src/audit/chain/chain-reader.js';
import type { ReadEntry } from '../../../src/audit/chain/chain-reader.js';
import { hashEntry } from '../../../src/audit/chain/entry-hash.js';
import { lockChains } from '../../../src/audit/chain/chain-lock.js';
import { startPlatform } from '../servers/platform.js';
import type { Platform } from '../servers/platform.js';

/** In the order in which they can be filled. */
const TABLES = ['audit_records', 'audit_entries', 'audit_chains', 'audit_digests', 'audit_keys', 'audit_checkpoints'];

const UPDATE_HASHES = `
  UPDATE audit_entries SET hash = decode($3, 'hex'), previous_hash = decode($4, 'hex')
  WHERE chain = $1 AND sequence = $2`;

/** Starts a platform whose audit log is written to. @returns it, the token of its administrator, and the tables */
export async function startForging(): Promise<[Platform, string, AuditTables]> {
  const platform = await startPlatform();
  return [platform, (await platform.login()).access_token, new AuditTables(platform)];
}

/** The tables of the audit log, for whoever writes to them without the secret key. */
export class AuditTables {
  constructor(private readonly platform: Platform) {}

  /** Copies all of them. */
  async save(): Promise<void> {
    await this.locked(async (tx) => {
      for (const table of TABLES) {
        await tx.query(`DROP TABLE IF EXISTS saved_${table}`);
        await tx.query(`CREATE TABLE saved_${table} AS TABLE ${table}`);
      }
    });
  }

  /** Sets all of them back to the copies. */
  async restore(): Promise<void> {
    await this.locked(async (tx) => {
      for (const table of TABLES.toReversed()) await tx.query(`DELETE FROM ${table}`);
      for (const table of TABLES) await tx.query(`INSERT INTO ${table} SELECT * FROM saved_${table}`);
    });
  }

  /** Writes, while nothing is sealed. */
  async write(...statements: readonly string[]): Promise<void> {
    await this.locked(async (tx) => {
      for (const sql of statements) await tx.query(sql);
    });
  }

  /** Makes the hashes of a chain anew from an entry on, as anybody can. */
  async rehash(chain: string, from: number): Promise<void> {
    await this.locked(async (tx) => {
      const sql = `SELECT ${ENTRY_COLUMNS} FROM audit_entries WHERE chain = $1 ORDER BY audit_entries.sequence`;
      let previous: string | null = null;
      for (const entry of await tx.query<ReadEntry[]>(sql, [chain])) {
        const hash: string = entry.sequence < from ? entry.hash : hashEntry(entry, entry.sequence, previous);
        await tx.query(UPDATE_HASHES, [chain, entry.sequence, hash, previous]);
        previous = hash;
      }
    });
  }

  /** Works without a constraint, which comes back afterwards. */
  async without(table: string, constraint: string, work: () => Promise<void>): Promise<void> {
    const sql = 'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1';
    const [row] = await this.platform.query<{ definition: string }>(sql, [constraint]);
    await this.platform.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`);
    try {
      await work();
    } finally {
      await this.restore();
      await this.platform.query(`ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${row?.definition}`);
    }
  }

  private async locked(work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.platform.app.database.dataSource.transaction(async (tx) => {
      await lockChains(tx);
      await work(tx);
    });
  }
}
