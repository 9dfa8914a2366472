import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type passport from 'passport';
import type { Authenticator, Caller } from '../context.js';
import { Unauthorized } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { keyIdOf } from './access-token.js';
import { sessionEnded } from './revocations.service.js';
import type { RevocationsService } from './revocations.service.js';
import { runStrategy } from './run-strategy.js';
import type { SigningKeysService } from './signing-keys.service.js';

/** Verifies access tokens. A token is verified in full once; after that only what can change is looked at. */
export class TokenAuthenticator implements Authenticator {
  /** By the token's SHA-256, so that no usable token lies in memory. */
  private readonly verified = new LRUCache<string, Caller>({ max: 10_000 });

  constructor(
    private readonly strategies: passport.Authenticator,
    private readonly keys: SigningKeysService,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * @param authorization the header as it came
   * @throws Unauthorized with `reason` where the token was ours
   */
  async verify(authorization: string): Promise<Caller> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw new Unauthorized();
    const fingerprint = hash('sha256', token, 'base64');
    const caller = this.verified.get(fingerprint) ?? (await this.verifyInFull(token, fingerprint));
    if (caller.expiresAt * 1_000 <= Date.now()) throw new Unauthorized('The token has expired.', 'token_expired');
    if (this.revocations.isRevoked(caller)) throw sessionEnded();
    return caller;
  }

  /** Calls `ended` once when the session is revoked; the returned function stops watching. */
  watch(caller: Caller, ended: (reason: PlatformError) => void): () => void {
    return this.revocations.watch(caller, ended);
  }

  private async verifyInFull(token: string, fingerprint: string): Promise<Caller> {
    const kid = keyIdOf(token);
    if (kid !== undefined) await this.keys.learn(kid);
    const headers = { authorization: `Bearer ${token}` };
    const caller = await runStrategy<Caller>(this.strategies, 'jwt', { headers });
    this.verified.set(fingerprint, caller);
    return caller;
  }
}
