import { errors } from 'jose';
import { systemCode } from '../../platform/operational-error.js';

const CLOCKS = 'compare the clocks of this server and of the identity provider';

/** Why an id token does not count, by what `jose` says of it. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'The id token is signed with an algorithm that is not accepted.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the id token does not fit the key of the issuer.',
  ERR_JWKS_NO_MATCHING_KEY: 'The issuer does not publish the key that the id token is signed with.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The issuer publishes several keys that the id token may be signed with.',
};

/** The same for a claim that is there and does not fit. */
const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  exp: `The id token has expired: the application has kept it for too long, or ${CLOCKS}.`,
  iat: `The id token was issued more than five minutes ago or in the future: the application has kept it for too long, or ${CLOCKS}.`,
  nbf: `The id token is not valid yet: ${CLOCKS}.`,
  aud: 'The id token was made for another application than audience or client_id says.',
};

/** The sentence for the log of what `jose` has thrown; the claims themselves are somebody's data. */
export function tokenFaultOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    const fault = error.reason === 'check_failed' ? CLAIM_FAULTS[error.claim] : undefined;
    return fault ?? `The claim ${error.claim} of the id token is missing, or has another value than it must have.`;
  }
  const code = systemCode(error);
  return FAULTS[code] ?? `The id token cannot be verified (${code || (error as Error).name}).`;
}

/** Why an identity provider gave no token that counts for a code, by what `openid-client` or the provider says. */
const GRANT_FAULTS: Readonly<Record<string, string>> = {
  access_denied: 'The person, or the identity provider, has refused the sign-in.',
  invalid_client: 'The identity provider does not accept client_id with client_secret.',
  invalid_grant:
    'The identity provider does not accept the code: it has expired, or was used, or is of another client.',
  unauthorized_client: 'The identity provider does not let this client sign people in by a browser.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: `The id token has expired, or is not valid yet: ${CLOCKS}.`,
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'The id token has another issuer, audience or nonce than it must have.',
};

/** The sentence for the log of what `openid-client` has thrown; all else of it may be tokens, or tell of a person. */
export function grantFaultOf(error: unknown): string {
  const { code, error: told } = error as { code?: unknown; error?: unknown };
  const known = [told, code].find((one) => typeof one === 'string' && Object.hasOwn(GRANT_FAULTS, one));
  return GRANT_FAULTS[String(known)] ?? `The identity provider gave no usable token for its code (${String(code)}).`;
}
