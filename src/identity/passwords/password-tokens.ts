import { hash, randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { MoreThan } from 'typeorm';
import { PasswordToken } from './password-token.entity.js';

const TOKEN_BYTES = 32;
/** Base64url of as many bytes. */
const FORM = /^[\w-]{43}$/;

/** Tokens that let their holders choose a password once. Only their hashes are stored. */
export class PasswordTokens {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes a token for a user: 256 random bits, base64url. */
  async issue(tx: EntityManager, userId: string, lifetimeMs: number): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await tx.insert(PasswordToken, { hash: hashOf(token), userId, expiresAt: new Date(Date.now() + lifetimeMs) });
    return token;
  }

  /** Whose token it is, as long as it can be used. */
  async findUserId(token: string): Promise<string | undefined> {
    if (!FORM.test(token)) return undefined;
    const where = { hash: hashOf(token), expiresAt: MoreThan(new Date()) };
    return (await this.dataSource.getRepository(PasswordToken).findOneBy(where))?.userId;
  }

  /** Uses a token up, and with it the others of its user. @returns false where it has been used meanwhile */
  async redeem(tx: EntityManager, token: string, userId: string): Promise<boolean> {
    const { affected } = await tx.delete(PasswordToken, { hash: hashOf(token), expiresAt: MoreThan(new Date()) });
    if (!affected) return false;
    await this.revokeAll(tx, userId);
    return true;
  }

  /** Makes every token of a user worthless, as a new password, or another way to sign in, does. */
  async revokeAll(tx: EntityManager, userId: string): Promise<void> {
    await tx.delete(PasswordToken, { userId });
  }

  /** Deletes the tokens that have expired. */
  async prune(): Promise<void> {
    await this.dataSource.query('DELETE FROM password_tokens WHERE expires_at < now()');
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
