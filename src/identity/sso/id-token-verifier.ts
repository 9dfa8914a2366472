import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { PlatformError } from '../../errors.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import type { Issuers } from './issuers.js';
import { SsoRefusal } from './sso-refusal.js';
import { tokenFaultOf } from './token-faults.js';

/** Signatures by a key pair alone, so that nothing public verifies what it could also have signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256'];
/** Headers by which a token would choose the key, or the rules, that it is verified with. */
const SELF_SERVING = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip'];
/** Id tokens have no other type; tokens for access and logout have others. */
const TYPE = /^(application\/)?jwt$/i;
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_CHARACTERS = 16 * 1024;
const MAX_AGE_SECONDS = 5 * 60;
const SKEW_SECONDS = 60;

/** What a token has to say beside what its provider's settings ask for. */
export interface ExpectedClaims {
  /** For whom it was made. */
  readonly audience: string;
  /** That of the sign-in which it ends. */
  readonly nonce?: string;
}

/** Verifies id tokens (OpenID Connect Core 1.0, 3.1.3.7) of the issuers of identity providers. */
export class IdTokenVerifier {
  constructor(private readonly issuers: Issuers) {}

  /**
   * The claims of a token: its signature, issuer, audience and times have been checked, the person has not.
   * @throws SsoRefusal where it does not count; Unavailable where the issuer's keys cannot be had
   */
  async verify(
    provider: OpenedProvider<SsoSettings>,
    token: string,
    { audience, nonce }: ExpectedClaims,
  ): Promise<JWTPayload> {
    const { issuer } = provider.settings;
    requirePlainToken(token);
    try {
      // The keys of an issuer are not asked for what names another one.
      if (issuer === undefined || decodeJwt(token).iss !== issuer)
        throw new SsoRefusal('The id token is of another issuer than the identity provider has here.');
      const { payload } = await jwtVerify(token, (header, jws) => this.findKey(provider, header, jws), {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        clockTolerance: SKEW_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        requiredClaims: ['exp'],
      });
      requireParty(payload, audience, provider.settings.client_id);
      if (nonce !== undefined && payload.nonce !== nonce)
        throw new SsoRefusal('The id token was made for another sign-in: its nonce is another one.');
      return payload;
    } catch (error) {
      if (error instanceof SsoRefusal || error instanceof PlatformError) throw error;
      // Of the library, or of a key that is none.
      throw new SsoRefusal(tokenFaultOf(error));
    }
  }

  private async findKey(provider: OpenedProvider<SsoSettings>, ...[header, jws]: Parameters<JWTVerifyGetKey>) {
    const { set, find } = await this.issuers.keysOf(provider);
    try {
      if (header.kid === undefined && set.keys.length > 1)
        throw new SsoRefusal('The id token does not name its key (kid), and the issuer has several.');
      return await find(header, jws);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const renewed = await this.issuers.keysOf(provider, true);
      return renewed.find(header, jws);
    }
  }
}

/**
 * What a token is remembered by when it has been used: SHA-256 of what is signed of it. The signature is left out:
 * there may be several that hold.
 */
export function fingerprintOf(token: string): string {
  return createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url');
}

/** When a token that was just accepted would be refused for its age, at the latest. */
export function uselessAfter({ iat = 0 }: JWTPayload): Date {
  return new Date((iat + MAX_AGE_SECONDS + 2 * SKEW_SECONDS) * 1_000);
}

/** @throws SsoRefusal where its form or its header is not that of an id token */
function requirePlainToken(token: string): void {
  if (token.length > MAX_CHARACTERS || !COMPACT.test(token)) throw new SsoRefusal('The proof is no id token.');
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw new SsoRefusal('The header of the id token cannot be read.');
  }
  const { typ } = header;
  if (typ !== undefined && !(typeof typ === 'string' && TYPE.test(typ)))
    throw new SsoRefusal('The proof is a token of another type, such as an access token.');
  if (SELF_SERVING.some((name) => name in header))
    throw new SsoRefusal('The id token brings its own key or rules, which only a forger needs.');
}

/** A token for several has to say who of them has asked for it. */
function requireParty({ aud, azp }: JWTPayload, audience: string, clientId: string | undefined): void {
  const isShared = Array.isArray(aud) && aud.some((other) => other !== audience);
  const isOurs = azp === audience || (azp === undefined && !isShared) || (!isShared && audience !== clientId);
  if (!isOurs) throw new SsoRefusal('The id token was made for another application (azp).');
}
