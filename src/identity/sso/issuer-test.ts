import { importJWK } from 'jose';
import { Unavailable } from '../../errors.js';
import type { IdentityProviderTest } from '../providers/identity-provider.types.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import type { IssuerKeys, IssuerMetadata, Issuers } from './issuers.js';
import { INDISTINCT, isDistinct } from './mix-up.js';

/** Tries an issuer as a sign-in would; it never throws, and tells nothing of what else answers there. */
export async function testIssuer(
  issuers: Issuers,
  provider: OpenedProvider<SsoSettings>,
): Promise<IdentityProviderTest> {
  const { issuer, client_id: clientId, jwks_uri: jwksUri, domains } = provider.settings;
  if (issuer === undefined) return { success: true, message: 'There is no issuer to ask: a trusted proxy signs.' };
  try {
    const isAsked = clientId !== undefined || jwksUri === undefined;
    const metadata: Partial<IssuerMetadata> = isAsked ? await issuers.readMetadata(provider) : {};
    const endpoints = ['authorization_endpoint', 'token_endpoint'].every((name) => name in metadata);
    if (clientId !== undefined && !endpoints) return failure('The issuer does not say where browsers sign in.');
    // Browsers are sent to the provider of a domain alone; the proofs of one without domains count as they are.
    if (clientId !== undefined && domains.length > 0 && !isDistinct(provider.settings, metadata))
      return failure(INDISTINCT);
  } catch (error) {
    return failureOf(error, 'The issuer does not answer with its own OpenID configuration.');
  }
  try {
    const usable = await countUsable(await issuers.readKeys(provider));
    if (usable === 0) return failure('The issuer has no key that id tokens can be verified with.');
    return { success: true, message: `The issuer answers, and has ${usable} usable ${usable === 1 ? 'key' : 'keys'}.` };
  } catch (error) {
    return failureOf(error, 'The keys of the issuer cannot be read.');
  }
}

async function countUsable({ set }: IssuerKeys): Promise<number> {
  const forSignatures = set.keys.filter(({ use }) => use === undefined || use === 'sig');
  const imported = await Promise.allSettled(
    forSignatures.map(async (key) => {
      const algorithm = key.kty === 'RSA' ? 'RS256' : key.kty === 'EC' && key.crv === 'P-256' ? 'ES256' : undefined;
      if (algorithm === undefined) throw new Error('Tokens are not verified with keys of this type.');
      return importJWK({ ...key, alg: key.alg ?? algorithm }, algorithm);
    }),
  );
  return imported.filter(({ status }) => status === 'fulfilled').length;
}

/** Whatever else goes wrong is no less a failed try. */
function failureOf(error: unknown, message: string): IdentityProviderTest {
  return failure(error instanceof Unavailable ? message : 'The issuer could not be tried.');
}

function failure(message: string): IdentityProviderTest {
  return { success: false, message };
}
