import type { SsoSettings } from '../providers/provider-settings.js';
import type { IssuerMetadata } from './issuers.js';

/**
 * Whether a code of this issuer is worth nothing to another provider that has sent its browser on to it (RFC 9700, 4.4):
 * only who has the client secret can redeem it, or the answer has to name the issuer (RFC 9207), which is compared
 * before a code is sent to anybody. All providers have one redirect URI, so nothing else tells them apart.
 */
export function isDistinct({ client_secret: secret }: SsoSettings, metadata: Partial<IssuerMetadata>): boolean {
  return secret !== undefined || metadata.authorization_response_iss_parameter_supported === true;
}

/** What administrators are told of a provider that is not distinct. */
export const INDISTINCT =
  'Browsers cannot sign in by this identity provider: set client_secret, or use an issuer that names itself in its answers (authorization_response_iss_parameter_supported, RFC 9207).';
