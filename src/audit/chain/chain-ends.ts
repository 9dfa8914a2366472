import type { EntityManager } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { ChainDigest } from './chain-digest.js';
import { END_COLUMNS, macOfEnd } from './chain-end.js';
import type { ChainEnd, WrittenEnd } from './chain-end.js';
import { readDeletedEnds } from './deleted-chain.js';
import type { DeletedChain } from './deleted-chain.js';

/** Numbers that no chain ever reaches: entries there were put there. */
const UNREACHABLE = 2 ** 52;
/** Entries that are farther behind the others than this do not belong to them. */
const FARTHEST = 1_000_000;

const READ = `
  SELECT n.chain AS name, ${END_COLUMNS}, t.sequence AS "lastSequence", encode(t.hash, 'hex') AS "lastHash"
  FROM unnest($1::text[]) AS n (chain) LEFT JOIN audit_chains c ON c.chain = n.chain
  LEFT JOIN LATERAL (
    SELECT e.sequence::float8 AS sequence, e.hash FROM audit_entries e WHERE e.chain = n.chain
    ORDER BY e.sequence DESC LIMIT 1
  ) t ON true`;

const WRITE = `
  INSERT INTO audit_chains (chain, sequence, hash, signed_sequence, unsigned_since, broken_sequence, mac)
  SELECT chain, sequence, decode(hash, 'hex'), signed_sequence, unsigned_since, broken_sequence, mac
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::bigint[], $7::bytea[])
    AS e (chain, sequence, hash, signed_sequence, unsigned_since, broken_sequence, mac)
  ON CONFLICT (chain) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
    signed_sequence = excluded.signed_sequence, unsigned_since = excluded.unsigned_since,
    broken_sequence = excluded.broken_sequence, mac = excluded.mac`;

/** The end of a chain as it was found; there it goes on. */
export interface FoundEnd extends Omit<WrittenEnd, 'hash'>, ChainEnd {
  /** The MAC of the row, where that is this installation's. */
  readonly mac?: Buffer;
  /** Whether the row and the entries are no longer what was written. */
  readonly isNewlyBroken: boolean;
}

type Row = { readonly [Column in keyof WrittenEnd]: WrittenEnd[Column] | null } & {
  readonly name: string;
  readonly mac: Buffer | null;
  readonly lastSequence: number | null;
  readonly lastHash: string | null;
};

/** Where chains end. Whoever uses it has the lock of the chains. */
export class ChainEnds {
  private readonly digest: ChainDigest;

  constructor(private readonly secretBox: Pick<SecretBox, 'mac'>) {
    this.digest = new ChainDigest(secretBox);
  }

  /**
   * The ends of chains, by their names. One that is not as it was written goes on where entries can be put, so that
   * nothing is lost, and stays broken: a new MAC must not make what somebody else wrote this installation's.
   */
  async read(tx: EntityManager, chains: readonly string[]): Promise<Map<string, FoundEnd>> {
    const rows = await tx.query<Row[]>(READ, [chains]);
    const found = new Map<string, FoundEnd>();
    for (const row of rows) found.set(row.name, await this.checkEnd(tx, row));
    return found;
  }

  /** Writes ends down. @param ends as they were found, and as they are now */
  async write(
    tx: EntityManager,
    ends: readonly { readonly found: FoundEnd; readonly now: WrittenEnd }[],
  ): Promise<void> {
    const rows = ends.map(({ found, now }) => ({ ...now, before: found.mac, mac: macOfEnd(this.secretBox, now) }));
    await this.digest.update(
      tx,
      rows.map(({ before, mac }) => ({ before, after: mac })),
    );
    await tx.query(WRITE, [
      rows.map(({ chain }) => chain),
      rows.map(({ sequence }) => sequence),
      rows.map(({ hash }) => hash),
      rows.map(({ signedSequence }) => signedSequence),
      rows.map(({ unsignedSince }) => unsignedSince),
      rows.map(({ brokenSequence }) => brokenSequence),
      rows.map(({ mac }) => mac),
    ]);
  }

  /** Forgets a chain that is deleted. @returns where it ended, and whether it was broken */
  async delete(tx: EntityManager, chain: string): Promise<DeletedChain> {
    const found = (await this.read(tx, [chain])).get(chain);
    if (found?.mac) await this.digest.update(tx, [{ before: found.mac }]);
    await tx.query('DELETE FROM audit_chains WHERE chain = $1', [chain]);
    return found ?? { chain, sequence: 0, hash: null, brokenSequence: null };
  }

  private async checkEnd(tx: EntityManager, row: Row): Promise<FoundEnd> {
    const { name: chain, lastSequence, lastHash } = row;
    const written = this.readOwn(row);
    if (written && lastSequence === written.sequence && lastHash === written.hash) {
      return { ...written, isNewlyBroken: false };
    }
    const isNew = row.mac === null && lastSequence === null;
    const from = written ?? (await firstOf(tx, chain));
    const last = isNew ? from : await lastBehind(tx, from);
    // The end of a chain that is being deleted goes first: its entries are not gone yet.
    const isWhole = isNew || (row.mac === null && (await this.isDeleted(tx, last)));
    const brokenSequence = isWhole ? null : (written?.brokenSequence ?? last.sequence);
    return { signedSequence: 0, unsignedSince: null, ...written, ...last, brokenSequence, isNewlyBroken: !isWhole };
  }

  /** Whether the server has deleted a chain, with its tenant, that ended like this. */
  private async isDeleted(tx: EntityManager, { chain, sequence, hash }: ChainEnd): Promise<boolean> {
    const ends = await readDeletedEnds(tx, this.secretBox, chain);
    return ends.some((end) => end.sequence === sequence && end.hash === hash);
  }

  /** What a row says; undefined where there is none, or this installation has not written it. */
  private readOwn({ name: chain, mac, ...row }: Row): (WrittenEnd & { readonly mac: Buffer }) | undefined {
    const { sequence, hash, signedSequence, unsignedSince, brokenSequence } = row;
    if (mac === null || sequence === null || hash === null || signedSequence === null) return undefined;
    const end = { chain, sequence, hash, signedSequence, unsignedSince, brokenSequence };
    return mac.equals(macOfEnd(this.secretBox, end)) ? { ...end, mac } : undefined;
  }
}

/** The first entry of a chain. */
async function firstOf(tx: EntityManager, chain: string): Promise<ChainEnd> {
  const [first] = await tx.query<ChainEnd[]>(
    `SELECT chain, sequence::float8 AS sequence, encode(hash, 'hex') AS hash FROM audit_entries
     WHERE chain = $1 AND sequence BETWEEN 1 AND ${UNREACHABLE} ORDER BY audit_entries.sequence LIMIT 1`,
    [chain],
  );
  return first ?? { chain, sequence: 0, hash: null };
}

/** The last entry of those that can belong to one: somebody may have put others as far away as numbers go. */
async function lastBehind(tx: EntityManager, from: ChainEnd): Promise<ChainEnd> {
  for (let last: ChainEnd = { chain: from.chain, sequence: from.sequence, hash: from.hash }; ;) {
    const [next] = await tx.query<ChainEnd[]>(
      `SELECT chain, sequence::float8 AS sequence, encode(hash, 'hex') AS hash FROM audit_entries
       WHERE chain = $1 AND sequence > $2 AND sequence <= $2::bigint + ${FARTHEST} ORDER BY audit_entries.sequence DESC LIMIT 1`,
      [from.chain, last.sequence],
    );
    if (!next) return last;
    last = next;
  }
}
