import type { Scope } from '../../access/caller.js';
import type { JsonWebKey } from 'node:crypto';
import type { DomainParts, Host } from '../../domain-module.js';
import { byId } from '../../graph/domain.js';
import { entityLoader } from '../../graph/request-loader.js';
import type { IdentityConfig } from '../config.js';
import type { RevocationsService } from '../sessions/revocations.service.js';
import { AccessTokens, tokenRules } from './access-token.js';
import type { TokenRules } from './access-token.js';
import { ApiTokenLastUsedTracker } from './api-token-last-used-tracker.js';
import { ApiTokenLoader } from './api-token-loader.js';
import { ApiTokenVerifier } from './api-token-verifier.js';
import { ApiTokenResolver, apiTokenRule } from './api-token.resolver.js';
import { ApiTokensService } from './api-tokens.service.js';
import { DocumentSigner } from './document-signer.js';
import { ServiceKeys } from './service-keys.js';
import { SigningKeysService } from './signing-keys.service.js';

const HOUR_MS = 60 * 60 * 1_000;
const USES_WRITE_MS = 1_000;
/** Shorter than the time for which a new signing key is published before it signs. */
const KEY_CHECK_MS = 5 * 60 * 1_000;

/** What tokens give to later domains and to the transports. */
export interface TokenPorts {
  /** Signs what others verify with the public keys. */
  readonly signer: DocumentSigner;
  /** Whether a personal access token still works, and has a scope: for what goes on behind the call that began it. */
  apiTokenAllows(id: string, scope: Scope): Promise<boolean>;
  /** The public signing keys, the answer of `/.well-known/jwks.json`. */
  jwks(): { keys: JsonWebKey[] };
}

/** What tokens add to identity. */
export interface Tokens extends Pick<DomainParts<object>, 'resolvers' | 'references' | 'tasks' | 'close'> {
  readonly keys: SigningKeysService;
  readonly rules: TokenRules;
  readonly accessTokens: AccessTokens;
  readonly apiTokenVerifier: ApiTokenVerifier;
  readonly apiTokenUses: ApiTokenLastUsedTracker;
  readonly serviceKeys: ServiceKeys;
  readonly ports: TokenPorts;
}

/** Wires tokens: those of sessions, personal ones, and the keys of services. */
export function createTokens(
  { audit, config, database, log, secretBox }: Host<IdentityConfig>,
  revocations: RevocationsService,
): Tokens {
  const { dataSource } = database;
  const keys = new SigningKeysService(dataSource, secretBox, config.signingKeyDays, audit);
  const rules = tokenRules(config.publicUrl);
  const service = new ApiTokensService(dataSource, revocations, audit);
  const apiTokenUses = new ApiTokenLastUsedTracker(dataSource);
  const loader = entityLoader((caller, ids) => service.findMany(caller, ids));
  return {
    keys,
    rules,
    accessTokens: new AccessTokens(keys, rules),
    apiTokenVerifier: new ApiTokenVerifier(new ApiTokenLoader(dataSource)),
    apiTokenUses,
    serviceKeys: new ServiceKeys(config.serviceKeys),
    ports: {
      signer: new DocumentSigner(keys),
      apiTokenAllows: (id, scope) => service.allows(id, scope),
      jwks: () => keys.jwks(),
    },
    resolvers: [new ApiTokenResolver(service)],
    references: [{ type: 'ApiToken', access: apiTokenRule, resolve: byId(loader) }],
    tasks: [
      { name: 'the check of the signing keys', intervalMs: KEY_CHECK_MS, run: () => keys.refresh() },
      { name: 'the clean-up of personal access tokens', intervalMs: HOUR_MS, run: () => service.prune() },
      { name: 'writing when tokens were used', intervalMs: USES_WRITE_MS, run: () => apiTokenUses.flush() },
    ],
    close: () =>
      apiTokenUses.flush().catch((error: unknown) => log.warn({ err: error }, 'last uses of tokens are lost')),
  };
}
