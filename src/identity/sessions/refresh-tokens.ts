import { hash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { RefreshToken } from './refresh-token.entity.js';
import { newRefreshToken, sessionIdOf, successorOf } from './session-secret.js';

/** By the database's clock, which all replicas share. A token without its successor was exchanged in another way. */
const IS_RETRY = `
  SELECT FROM refresh_tokens WHERE hash = $1 AND used_at > now() - make_interval(secs => $2)
    AND EXISTS (SELECT FROM refresh_tokens WHERE hash = $3)`;

interface RefreshTokensParts {
  readonly dataSource: DataSource;
  readonly secretBox: Pick<SecretBox, 'mac'>;
  /** For how long a token that was exchanged still gives its successor; 0: not at all. */
  readonly graceSeconds: number;
}

/**
 * Refresh tokens, of which only hashes are stored. The successor of a token is a MAC of it, so that a token that comes
 * again can be given the same one, on every replica.
 */
export class RefreshTokens {
  constructor(private readonly parts: RefreshTokensParts) {}

  /** The session that a token belongs to, used or not. */
  async findSessionId(refreshToken: string): Promise<string | undefined> {
    const row = await this.parts.dataSource.getRepository(RefreshToken).findOneBy({ hash: hashOf(refreshToken) });
    return row?.sessionId;
  }

  /** The first token of a session. */
  async issue(tx: EntityManager, sid: string, createdAt: Date): Promise<string> {
    return add(tx, newRefreshToken(sid), sessionIdOf(sid), createdAt);
  }

  /** A token with its session and user; token and session are locked until the transaction ends. */
  async lock(tx: EntityManager, refreshToken: string): Promise<RefreshToken | null> {
    return tx
      .createQueryBuilder(RefreshToken, 'token')
      .innerJoinAndSelect('token.session', 'session')
      .innerJoinAndSelect('session.user', 'user')
      .where('token.hash = :tokenHash', { tokenHash: hashOf(refreshToken) })
      .setLock('pessimistic_write', undefined, ['token', 'session'])
      .getOne();
  }

  /**
   * Whether a used token comes again so soon that it is no theft: two tabs have sent it, or an answer was lost.
   * @param refreshToken locked
   */
  async isRetry(tx: EntityManager, refreshToken: string): Promise<boolean> {
    const { secretBox, graceSeconds } = this.parts;
    if (graceSeconds === 0) return false;
    const hashes = [refreshToken, successorOf(secretBox, refreshToken)].map(hashOf);
    const found = await tx.query<object[]>(IS_RETRY, [hashes[0], graceSeconds, hashes[1]]);
    return found.length > 0;
  }

  /** The successor of a locked token, which is used from now on; that of a used one is there already. */
  async exchange(tx: EntityManager, row: RefreshToken, refreshToken: string, now: Date): Promise<string> {
    const successor = successorOf(this.parts.secretBox, refreshToken);
    if (row.usedAt) return successor;
    await tx.update(RefreshToken, { hash: row.hash }, { usedAt: () => 'now()' });
    return add(tx, successor, row.sessionId, now);
  }
}

async function add(tx: EntityManager, refreshToken: string, sessionId: string, createdAt: Date): Promise<string> {
  await tx.insert(RefreshToken, { hash: hashOf(refreshToken), sessionId, createdAt, usedAt: null });
  return refreshToken;
}

function hashOf(refreshToken: string): string {
  return hash('sha256', refreshToken, 'base64url');
}
