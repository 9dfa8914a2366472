import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PatPrincipal } from '../../access/caller.js';
import { Unauthorized } from '../../errors.js';
import type { ApiTokenRecord, ApiTokenLoader } from './api-token-loader.js';
import { readApiToken } from './api-token-format.js';
import { answerKeyOf } from '../sessions/session-secret.js';
import { tokenExpired, tokenRevoked } from './token-errors.js';

/** Verifies personal access tokens against the database. */
export class ApiTokenVerifier {
  /** What can never count again: the ids of tokens that do not exist, and secrets that are wrong or at their end. */
  private readonly refusals = new LRUCache<string, Unauthorized>({ max: 10_000 });

  constructor(private readonly records: ApiTokenLoader) {}

  /**
   * The caller that a token stands for.
   * @throws Unauthorized, with `reason` where the secret is, or was, that of the token
   */
  async verify(token: string): Promise<PatPrincipal> {
    const presented = readApiToken(token);
    if (!presented) throw new Unauthorized();
    const { id, secretHash } = presented;
    const secret = `${id}.${secretHash}`;
    const refusal = this.refusals.get(id) ?? this.refusals.get(secret);
    if (refusal) throw refusal;
    const record = await this.records.find(id);
    if (!record) throw this.refuse(id, new Unauthorized());
    const expiresAt = endOf(record, secretHash);
    if (!expiresAt) throw this.refuse(secret, new Unauthorized());
    if (record.revokedAt) throw this.refuse(secret, tokenRevoked());
    if (expiresAt.getTime() <= Date.now()) throw this.refuse(secret, tokenExpired());
    // Not for good: the user may be active again one day.
    if (record.status !== 'active') throw tokenRevoked();
    return { ...principalOf(record, secretHash, expiresAt), answerKey: answerKeyOf(presented.secret) };
  }

  private refuse(key: string, refusal: Unauthorized): Unauthorized {
    this.refusals.set(key, refusal);
    return refusal;
  }
}

/** When a secret of a token ends; undefined for a secret that is not one of its two. */
function endOf(record: ApiTokenRecord, secretHash: string): Date | undefined {
  if (isSame(record.secretHash, secretHash)) return record.expiresAt;
  const isPrevious = record.previousHash !== null && isSame(record.previousHash, secretHash);
  return isPrevious ? (record.previousExpiresAt ?? undefined) : undefined;
}

function isSame(stored: string, presented: string): boolean {
  return timingSafeEqual(Buffer.from(stored), Buffer.from(presented));
}

function principalOf(record: ApiTokenRecord, secretHash: string, expiresAt: Date): Omit<PatPrincipal, 'answerKey'> {
  return {
    credential: 'pat',
    userId: record.userId,
    tenantId: record.tenantId,
    privileges: record.privileges,
    scopes: new Set(record.scopes),
    tokenId: record.id,
    secretHash,
    userVersion: record.userVersion,
    expiresAt: expiresAt.getTime() / 1_000,
  };
}
