import { hash, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../platform/crypto/secret-box.js';

const SECRET_BYTES = 32;
const SID_BYTES = 16;

/** A new `sid`: 128 random bits, base64url. Tokens carry it for as long as their session lasts; it is kept nowhere. */
export function newSid(): string {
  return randomBytes(SID_BYTES).toString('base64url');
}

/** The id of a session in the database: SHA-256 of its `sid`, base64url. */
export function sessionIdOf(sid: string): string {
  return hash('sha256', sid, 'base64url');
}

/** A new refresh token: 256 random bits and the session's `sid`, base64url. */
export function newRefreshToken(sid: string): string {
  return toRefreshToken(randomBytes(SECRET_BYTES), sid);
}

/**
 * The next refresh token after one that this server has issued. It is derived from it by a MAC with the server's key,
 * so it is always the same, and cannot be computed without that key.
 */
export function successorOf(secretBox: Pick<SecretBox, 'mac'>, refreshToken: string): string {
  return toRefreshToken(secretBox.mac('refresh-token', refreshToken), sidOf(refreshToken));
}

/** The `sid` in a refresh token that is ours. */
export function sidOf(refreshToken: string): string {
  return Buffer.from(refreshToken, 'base64url').subarray(SECRET_BYTES).toString('base64url');
}

/**
 * The key for what only the holder of a credential may read again.
 * @param secret the `sid` of a session, or the secret of a personal access token
 * @returns 32 bytes, from which the secret cannot be told
 */
export function answerKeyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'kept answers', 32));
}

function toRefreshToken(secret: Buffer, sid: string): string {
  return Buffer.concat([secret, Buffer.from(sid, 'base64url')]).toString('base64url');
}
