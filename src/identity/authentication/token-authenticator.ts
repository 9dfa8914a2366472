import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type passport from 'passport';
import type { Authenticator, Principal } from '../../access/caller.js';
import { Unauthorized } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import { keyIdOf } from '../tokens/access-token.js';
import { looksLikeApiToken } from '../tokens/api-token-format.js';
import type { ApiTokenLastUsedTracker } from '../tokens/api-token-last-used-tracker.js';
import type { RevocationsService } from '../sessions/revocations.service.js';
import { runStrategy } from './run-strategy.js';
import type { ServiceKeys } from '../tokens/service-keys.js';
import type { SigningKeysService } from '../tokens/signing-keys.service.js';
import { tokenExpired, tokenRevoked } from '../tokens/token-errors.js';

/** How long a personal access token counts as verified: shorter than a revocation is kept. */
const API_TOKEN_VERIFIED_MS = 5 * 60 * 1_000;

/** What only the key of a service begins with. */
const SERVICE_KEY = /^Bearer +key_/i;

interface AuthenticatorDependencies {
  readonly strategies: passport.Authenticator;
  readonly keys: SigningKeysService;
  readonly revocations: RevocationsService;
  readonly apiTokenUses: ApiTokenLastUsedTracker;
  readonly serviceKeys: ServiceKeys;
}

/**
 * Verifies JWTs and personal access tokens. A token is verified in full once; after that only what can change is
 * looked at.
 */
export class TokenAuthenticator implements Authenticator {
  /** By the token's SHA-256, so that no usable token lies in memory. */
  private readonly verified = new LRUCache<string, Principal>({ max: 10_000 });

  constructor(private readonly parts: AuthenticatorDependencies) {}

  /**
   * @param authorization the header as it came
   * @throws Unauthorized with `reason` where the token was ours
   */
  async verify(authorization: string): Promise<Principal> {
    const { revocations, apiTokenUses } = this.parts;
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw new Unauthorized();
    const fingerprint = hash('sha256', token, 'base64');
    const principal = this.known(fingerprint) ?? (await this.verifyInFull(token, fingerprint));
    if (principal.expiresAt * 1_000 <= Date.now()) throw tokenExpired();
    if (revocations.isRevoked(principal)) throw tokenRevoked();
    if (principal.credential === 'pat') apiTokenUses.recordUse(principal.tokenId);
    return principal;
  }

  /** The id of the service key that a header presents; undefined for everything else. */
  serviceKeyOf(authorization: string): string | undefined {
    return SERVICE_KEY.test(authorization) ? this.parts.serviceKeys.identify(authorization) : undefined;
  }

  /** Calls `ended` once when the token or its session is revoked; the returned function stops watching. */
  watch(principal: Principal, ended: (reason: PlatformError) => void): () => void {
    return this.parts.revocations.watch(principal, ended);
  }

  private known(fingerprint: string): Principal | undefined {
    const principal = this.verified.get(fingerprint);
    // Whatever has changed about a user, its personal access tokens go on with what is true now, if anything.
    return principal?.credential === 'pat' && this.parts.revocations.isRevoked(principal) ? undefined : principal;
  }

  private async verifyInFull(token: string, fingerprint: string): Promise<Principal> {
    const { keys, strategies } = this.parts;
    const headers = { authorization: `Bearer ${token}` };
    if (looksLikeApiToken(token)) {
      const principal = await runStrategy<Principal>(strategies, 'api-token', { headers });
      this.verified.set(fingerprint, principal, { ttl: API_TOKEN_VERIFIED_MS });
      return principal;
    }
    const kid = keyIdOf(token);
    if (kid !== undefined) await keys.reloadIfUnknown(kid);
    const principal = await runStrategy<Principal>(strategies, 'jwt', { headers });
    this.verified.set(fingerprint, principal);
    return principal;
  }
}
