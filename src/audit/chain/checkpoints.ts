import type { EntityManager } from 'typeorm';
import type { SignedDocument } from '../../identity/domain.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { AuditCheckpoint } from './audit-checkpoint.entity.js';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import { AuditKey, macOfKey } from './audit-key.entity.js';
import { ChainEnds } from './chain-ends.js';
import { CHECKPOINT_TYPE, macOfCheckpoint } from './checkpoint-reader.js';
import type { ChainEnd } from './chain-end.js';

/** How many entries a checkpoint waits for at most. */
export const CHECKPOINT_ENTRIES = 1_000;
/** How long the first of them waits for it at most. */
export const CHECKPOINT_MINUTES = 10;

/** Chains that are signed in one transaction. */
const BATCH = 100;

const IS_DUE = `
  broken_sequence IS NULL AND (sequence >= signed_sequence + ${CHECKPOINT_ENTRIES}
    OR unsigned_since < now() - interval '${CHECKPOINT_MINUTES} minutes')`;
const NEXT_DUE = `SELECT chain FROM audit_chains WHERE chain > $1 AND ${IS_DUE} ORDER BY chain LIMIT ${BATCH}`;
const DUE_OF = `SELECT chain FROM audit_chains WHERE chain = ANY($1) AND ${IS_DUE}`;

interface CheckpointsParts {
  readonly secretBox: Pick<SecretBox, 'mac'>;
  readonly sign: (type: string, content: object) => Promise<SignedDocument>;
}

/** A checkpoint, and the end that it tells of. */
export interface SignedChain {
  readonly end: ChainEnd & { readonly hash: string };
  readonly checkpoint: AuditCheckpoint;
  readonly key: SignedDocument['publicJwk'];
}

/** Signs how chains are. */
export class Checkpoints {
  private readonly ends: ChainEnds;

  constructor(private readonly parts: CheckpointsParts) {
    this.ends = new ChainEnds(parts.secretBox);
  }

  /**
   * Signs the next chains of which much, or for long, is not signed.
   * @param after the name of the last one that was looked at; empty: there was none
   * @returns the name of the last one that was looked at now; undefined: there may be no more
   */
  async signDue(tx: EntityManager, after: string): Promise<string | undefined> {
    const due = (await tx.query<{ chain: string }[]>(NEXT_DUE, [after])).map(({ chain }) => chain);
    await this.signEnds(tx, due);
    return due.length < BATCH ? undefined : due.at(-1);
  }

  /** Signs those of the chains of which much, or for long, is not signed. */
  async signDueOf(tx: EntityManager, chains: readonly string[]): Promise<void> {
    const due = await tx.query<{ chain: string }[]>(DUE_OF, [chains]);
    await this.signEnds(
      tx,
      due.map(({ chain }) => chain),
    );
  }

  /** Signs where chains end, but for those that are broken: what somebody else wrote is not vouched for. */
  async signEnds(tx: EntityManager, chains: readonly string[]): Promise<readonly SignedChain[]> {
    if (chains.length === 0) return [];
    const signed: SignedChain[] = [];
    const changes: Parameters<ChainEnds['write']>[1][number][] = [];
    for (const found of (await this.ends.read(tx, chains)).values()) {
      const { chain, sequence, hash } = found;
      if (hash === null || found.brokenSequence !== null) continue;
      signed.push(await this.sign(tx, { chain, sequence, hash }, 'checkpoint'));
      const now = { chain, sequence, hash, signedSequence: sequence, unsignedSince: null, brokenSequence: null };
      changes.push({ found, now });
    }
    if (changes.length > 0) await this.ends.write(tx, changes);
    return signed;
  }

  /** Signs how a chain is at one of its entries, and keeps that with the key. */
  async sign(tx: EntityManager, end: SignedChain['end'], purpose: CheckpointPurpose): Promise<SignedChain> {
    const { chain, sequence } = end;
    const { secretBox } = this.parts;
    const createdAt = new Date();
    const claims = { chain, created_at: createdAt.toISOString(), hash: end.hash, purpose, sequence };
    const mac = macOfCheckpoint(secretBox, claims).toString('base64url');
    const { token, kid, publicJwk } = await this.parts.sign(CHECKPOINT_TYPE, { ...claims, mac });
    const key = { kid, publicJwk: publicJwk as never, mac: macOfKey(secretBox, kid, publicJwk) };
    await tx.upsert(AuditKey, key, ['kid']);
    const checkpoint = { chain, sequence: String(sequence), purpose, kid, token, createdAt };
    await tx.upsert(AuditCheckpoint, checkpoint, ['chain', 'sequence', 'purpose']);
    return { end, checkpoint, key: publicJwk };
  }
}
