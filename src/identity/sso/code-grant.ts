import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  None,
} from 'openid-client';
import type { ClientAuth } from 'openid-client';
import { Conflict, PlatformError, Unavailable } from '../../errors.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import type { IssuerClient } from './issuer-client.js';
import type { IssuerMetadata, Issuers } from './issuers.js';
import { AWAY } from './kept-values.js';
import { INDISTINCT, isDistinct } from './mix-up.js';
import { SsoRefusal } from './sso-refusal.js';
import { grantFaultOf } from './token-faults.js';

const TIMEOUT_SECONDS = 10;

/** An identity provider that browsers are sent to. */
export interface BrowserProvider extends OpenedProvider<SsoSettings> {
  readonly settings: SsoSettings & { readonly client_id: string };
}

/** The random texts of one sign-in. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier (RFC 7636). */
  readonly verifier: string;
}

/** What an identity provider has sent its browser back with. */
export interface CallbackParameters {
  readonly code?: string | null;
  readonly state?: string | null;
  /** The issuer (RFC 9207). */
  readonly iss?: string | null;
  readonly error?: string | null;
}

/** The authorization code grant with PKCE (RFC 6749, RFC 7636, OpenID Connect Core 1.0). */
export class CodeGrant {
  constructor(
    private readonly issuers: Issuers,
    private readonly client: IssuerClient,
  ) {}

  /**
   * The address at which a browser signs in.
   * @param email what the provider may put into its form
   * @throws Conflict where `isDistinct` is not so; Unavailable where the issuer cannot be reached
   */
  async authorizationUrl(
    provider: BrowserProvider,
    redirectUri: string,
    { state, nonce, verifier }: FlowSecrets,
    email: string,
  ): Promise<string> {
    const url = buildAuthorizationUrl(await this.configurationOf(provider), {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      login_hint: email,
    });
    return url.href;
  }

  /**
   * Exchanges a code for an id token, which is not verified yet.
   * @throws SsoRefusal where the provider does not give one; Unavailable where it cannot be reached
   */
  async redeem(
    provider: BrowserProvider,
    redirectUri: string,
    { state, nonce, verifier }: FlowSecrets,
    parameters: CallbackParameters,
  ): Promise<string> {
    const configuration = await this.configurationOf(provider);
    const url = new URL(redirectUri);
    for (const name of ['code', 'state', 'iss', 'error'] as const) {
      const value = parameters[name];
      if (typeof value === 'string') url.searchParams.set(name, value);
    }
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const tokens = await authorizationCodeGrant(configuration, url, checks);
      return tokens.id_token ?? '';
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      // Its cause may hold tokens, and what a provider says of a person.
      throw new SsoRefusal(grantFaultOf(error));
    }
  }

  private async configurationOf(provider: BrowserProvider): Promise<Configuration> {
    const { client_id: clientId, client_secret: clientSecret } = provider.settings;
    const metadata = await this.issuers.metadataOf(provider);
    if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined) {
      throw new Unavailable(AWAY);
    }
    if (!isDistinct(provider.settings, metadata)) throw new Conflict('capability_not_supported', INDISTINCT);
    const configuration = new Configuration(metadata, clientId, {}, clientAuthOf(metadata, clientSecret));
    configuration[customFetch] = (url, request) => this.client.fetch(provider, url, request);
    configuration.timeout = TIMEOUT_SECONDS;
    // Which plain http is allowed, `IssuerClient` knows: that which does not leave this machine.
    allowInsecureRequests(configuration);
    return configuration;
  }
}

function clientAuthOf(metadata: IssuerMetadata, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  // As discovery says: basic where nothing is told.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}
