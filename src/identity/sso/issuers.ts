import { createLocalJWKSet } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Unavailable } from '../../errors.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import { isSecure } from './issuer-client.js';
import type { IssuerClient } from './issuer-client.js';
import { AWAY, KeptValues } from './kept-values.js';

/** How many issuers are known at once. */
const MAX_ISSUERS = 200;
const MAX_KEYS = 100;

const endpoint = z
  .string()
  .max(1_000)
  .refine((text) => URL.canParse(text) && isSecure(new URL(text)));
const metadata = z.object({
  issuer: z.string(),
  jwks_uri: endpoint.optional(),
  authorization_endpoint: endpoint.optional(),
  token_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
const keySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })).max(MAX_KEYS),
});

/** What an issuer says of itself (OpenID Connect Discovery 1.0), as far as it is used. */
export type IssuerMetadata = z.infer<typeof metadata>;

/** The keys that an issuer signs with. */
export interface IssuerKeys {
  readonly set: JSONWebKeySet;
  /** Finds the one that a token names. */
  readonly find: JWTVerifyGetKey;
}

/** What issuers say of themselves and sign with, kept as `KeptValues` does. */
export class Issuers {
  private readonly metadata: KeptValues<IssuerMetadata>;
  private readonly keySets: KeptValues<IssuerKeys>;

  /** @param now as `KeptValues` has it */
  constructor(
    private readonly client: IssuerClient,
    now?: () => number,
  ) {
    this.metadata = new KeptValues(MAX_ISSUERS, now);
    this.keySets = new KeptValues(MAX_ISSUERS, now);
  }

  /** @throws Unavailable where it cannot be had, or is another issuer's */
  metadataOf(provider: OpenedProvider<SsoSettings>): Promise<IssuerMetadata> {
    return this.metadata.get(cacheKeyOf(provider), () => this.readMetadata(provider));
  }

  /**
   * @param isDoubted a key is missing, so the set is read again, at most every 10 s
   * @throws Unavailable where the keys cannot be had
   */
  keysOf(provider: OpenedProvider<SsoSettings>, isDoubted = false): Promise<IssuerKeys> {
    return this.keySets.get(cacheKeyOf(provider), () => this.readKeys(provider), isDoubted);
  }

  /** Reads what an issuer says of itself now. @throws as `metadataOf` */
  async readMetadata(provider: OpenedProvider<SsoSettings>): Promise<IssuerMetadata> {
    const { issuer } = provider.settings;
    if (issuer === undefined) throw new Unavailable(AWAY);
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = metadata.safeParse(await this.client.readJson(provider, url));
    if (!found.success || found.data.issuer !== issuer) throw new Unavailable(AWAY);
    return found.data;
  }

  /** Reads the keys of an issuer now. @throws as `keysOf` */
  async readKeys(provider: OpenedProvider<SsoSettings>): Promise<IssuerKeys> {
    const uri = provider.settings.jwks_uri ?? (await this.readMetadata(provider)).jwks_uri;
    if (uri === undefined) throw new Unavailable(AWAY);
    const found = keySet.safeParse(await this.client.readJson(provider, uri));
    if (!found.success) throw new Unavailable(AWAY);
    const set = found.data as JSONWebKeySet;
    return { set, find: createLocalJWKSet(set) };
  }
}

/** Changed with whatever decides what is read, and from where. */
function cacheKeyOf({ id, approved, settings: { issuer, jwks_uri: jwksUri } }: OpenedProvider<SsoSettings>): string {
  return JSON.stringify([id, approved, issuer, jwksUri]);
}
