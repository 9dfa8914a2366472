import { createHash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { END_COLUMNS, macOfEnd } from './chain-end.js';
import type { WrittenEnd } from './chain-end.js';

/** The sum has far more bits than a MAC: with many chains, short sums could be met by rows of different times. */
const SUM_BYTES = 256;
const MODULUS = 1n << BigInt(SUM_BYTES * 8);
const NAME = 'chains';

/** The row of a chain before and after a change, by their MACs; left out: there is none. */
export interface ChangedEnd {
  readonly before?: Buffer;
  readonly after?: Buffer;
}

interface DigestRow {
  readonly sum: Buffer;
  readonly mac: Buffer;
}

/**
 * The digest of the ends of all chains: the sum of what their MACs expand to, with a MAC of its own. So no chain can be
 * set back or taken away alone, and a change of one costs the same however many there are. It is an incremental
 * multiset hash by addition (Clarke, Devadas, van Dijk, Gassend and Suh, ASIACRYPT 2003).
 */
export class ChainDigest {
  constructor(private readonly secretBox: Pick<SecretBox, 'mac'>) {}

  /**
   * Takes changes in, in the transaction that makes them. A digest that is not this installation's is left alone: it
   * never fits again.
   */
  async update(tx: EntityManager, changes: readonly ChangedEnd[]): Promise<void> {
    const [row] = await tx.query<DigestRow[]>('SELECT sum, mac FROM audit_digests WHERE name = $1', [NAME]);
    if (row && !this.isOurs(row)) return;
    // Chains without a digest: it was deleted.
    if (!row && (await this.isAnyChain(tx))) return;
    let sum = row ? toNumber(row.sum) : 0n;
    for (const { before, after } of changes) sum += elementOf(after) - elementOf(before);
    const bytes = toBytes(sum);
    await tx.query(
      `INSERT INTO audit_digests (name, sum, mac) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET sum = excluded.sum, mac = excluded.mac`,
      [NAME, bytes, this.macOf(bytes)],
    );
  }

  /**
   * Whether the ends of all chains are what this installation has written last. One row of each chain is in memory.
   * @param signal ends it
   * @throws the reason of the signal
   */
  async verify(dataSource: DataSource, signal?: AbortSignal): Promise<boolean> {
    // One statement sees both as they were at one moment.
    const rows = await dataSource.query<(WrittenEnd & { readonly sum: Buffer | null; readonly mac: Buffer })[]>(
      `SELECT ${END_COLUMNS}, NULL::bytea AS sum FROM audit_chains c
       UNION ALL SELECT NULL, 0, NULL, 0, NULL, NULL, mac, sum FROM audit_digests WHERE name = $1`,
      [NAME],
    );
    const digest = rows.find(({ sum }) => sum !== null);
    if (!digest?.sum) return rows.length === 0;
    let sum = 0n;
    const turn = new CooperativeYield(signal);
    for (const row of rows) {
      if (row !== digest) sum += elementOf(macOfEnd(this.secretBox, row));
      if (turn.isDue) await turn.yield();
    }
    return this.isOurs({ sum: digest.sum, mac: digest.mac }) && toBytes(sum).equals(digest.sum);
  }

  private isOurs({ sum, mac }: DigestRow): boolean {
    return sum.length === SUM_BYTES && mac.equals(this.macOf(sum));
  }

  private macOf(sum: Buffer): Buffer {
    return this.secretBox.mac('audit-digest', sum.toString('hex'));
  }

  private async isAnyChain(tx: EntityManager): Promise<boolean> {
    return (await tx.query<object[]>('SELECT FROM audit_chains LIMIT 1')).length > 0;
  }
}

function elementOf(mac: Buffer | undefined): bigint {
  if (!mac) return 0n;
  return toNumber(createHash('shake256', { outputLength: SUM_BYTES }).update(mac).digest());
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function toBytes(sum: bigint): Buffer {
  const positive = ((sum % MODULUS) + MODULUS) % MODULUS;
  return Buffer.from(positive.toString(16).padStart(SUM_BYTES * 2, '0'), 'hex');
}
