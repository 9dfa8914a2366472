import jwt from 'jsonwebtoken';
import type { VerifyOptions } from 'jsonwebtoken';
import { newId } from '../../platform/ids.js';
import { sessionIdOf } from '../sessions/session-secret.js';
import { ACCESS_TOKEN_SECONDS } from './signing-keys.service.js';
import type { SigningKeysService } from './signing-keys.service.js';
import type { User } from '../users/user.entity.js';

const PLATFORM = 'private-ai-platform';

/** What an access token says. */
export interface AccessClaims {
  readonly iss: string;
  readonly aud: string;
  /** The user's id. */
  readonly sub: string;
  /** The tenant's id. */
  readonly tid: string;
  /** The token's own id. */
  readonly jti: string;
  /** The secret of the session that it belongs to. */
  readonly sid: string;
  /** The user's version when it was issued. */
  readonly ver: number;
  /** Scopes, separated by spaces. */
  readonly scope: string;
  /** Unix seconds. */
  readonly iat: number;
  /** Unix seconds. */
  readonly exp: number;
}

/** What every access token is checked for, beside its signature and expiry. */
export interface TokenRules {
  readonly algorithms: ['ES256'];
  readonly issuer: string;
  readonly audience: string;
}

/** The rules of this installation: tokens name it by its public address where that is known. */
export function tokenRules(publicUrl: string | undefined): TokenRules {
  return { algorithms: ['ES256'], issuer: publicUrl ?? PLATFORM, audience: PLATFORM };
}

/** Signs access tokens, and reads them where an expired one counts too. */
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly rules: TokenRules,
  ) {}

  /** A signed token for a session of a user. */
  sign(user: User, sid: string): string {
    const { kid, privateKey } = this.keys.current();
    const claims = { tid: user.tenantId, sid, ver: user.userVersion, scope: '*' };
    return jwt.sign(claims, privateKey, {
      algorithm: 'ES256',
      keyid: kid,
      issuer: this.rules.issuer,
      audience: this.rules.audience,
      subject: user.id,
      jwtid: newId('tok'),
      expiresIn: ACCESS_TOKEN_SECONDS,
    });
  }

  /** The session of a token that we have signed, expired or not; undefined for anything else. */
  async sessionOf(token: string): Promise<string | undefined> {
    const kid = keyIdOf(token);
    if (kid === undefined) return undefined;
    await this.keys.reloadIfUnknown(kid);
    const key = this.keys.publicPem(kid);
    const claims = key && readClaims(token, key, { ...this.rules, ignoreExpiration: true });
    return claims && sessionIdOf(claims.sid);
  }
}

/** The key that a token names in its header, which proves nothing yet. */
export function keyIdOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
    const kid = (header as { kid?: unknown } | null)?.kid;
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

function readClaims(token: string, key: string, options: VerifyOptions): AccessClaims | undefined {
  try {
    return jwt.verify(token, key, options) as unknown as AccessClaims;
  } catch {
    return undefined;
  }
}
