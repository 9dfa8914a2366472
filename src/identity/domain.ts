import type { JsonWebKey } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Authenticator } from '../access/caller.js';
import { byId } from '../graph/domain.js';
import type { Domain } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { Database } from '../platform/database/database.js';
import { repeat } from '../platform/async/periodic.js';
import type { SecretBox } from '../platform/crypto/secret-box.js';
import { AccessTokens, tokenRules } from './tokens/access-token.js';
import { ApiTokenLoader } from './tokens/api-token-loader.js';
import { ApiTokenLastUsedTracker } from './tokens/api-token-last-used-tracker.js';
import { ApiTokenVerifier } from './tokens/api-token-verifier.js';
import { ApiTokenResolver, apiTokenRule } from './tokens/api-token.resolver.js';
import { ApiTokensService } from './tokens/api-tokens.service.js';
import { AuthResolver } from './authentication/auth.resolver.js';
import { AuthService } from './authentication/auth.service.js';
import { bootstrap } from './users/bootstrap-admin.js';
import type { BootstrapAdmin } from './users/bootstrap-admin.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { RevocationsService } from './sessions/revocations.service.js';
import { ServiceKeys } from './tokens/service-keys.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInThrottle } from './authentication/sign-in-throttle.js';
import { SigningKeysService } from './tokens/signing-keys.service.js';
import { createPassport } from './authentication/strategies.js';
import { TenantDirectory } from './tenants/tenant-directory.js';
import { TenantResolver } from './tenants/tenant.resolver.js';
import { TenantsService } from './tenants/tenants.service.js';
import { TokenAuthenticator } from './authentication/token-authenticator.js';
import { UserResolver } from './users/user.resolver.js';
import { UsersService } from './users/users.service.js';

export { resetPassword } from './passwords/password-reset.js';
export type { TenantDirectory } from './tenants/tenant-directory.js';
export { Tenant } from './tenants/tenant.entity.js';
export { User } from './users/user.entity.js';

const HOUR_MS = 60 * 60 * 1_000;
const REVOCATION_POLL_MS = 500;
const USES_WRITE_MS = 1_000;
/** Shorter than the time for which a new signing key is published before it signs. */
const KEY_CHECK_MS = 5 * 60 * 1_000;

/** What identity gives to the other domains and to the transports. */
export interface Identity extends Domain {
  readonly authenticator: Authenticator;
  readonly tenants: TenantDirectory;
  /** The user that this start has made, if it has. */
  readonly bootstrapAdmin?: BootstrapAdmin;
  /** The public signing keys, the answer of `/.well-known/jwks.json`. */
  jwks(): { keys: JsonWebKey[] };
  /** Stops polling and writes what is left; to be called before the database is closed. */
  close(): Promise<void>;
}

interface IdentityDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly secretBox: SecretBox;
}

/**
 * Wires the identity domain: users and tenants, sign-in, tokens and their revocation.
 * @throws ConfigError when the secret key is not this database's, or the first user cannot be made as configured
 */
export async function createIdentity(dependencies: IdentityDependencies): Promise<Identity> {
  const { config, database, log, secretBox } = dependencies;
  const { dataSource } = database;
  const keys = new SigningKeysService(dataSource, secretBox, config.signingKeyDays);
  const revocations = new RevocationsService(dataSource);
  const sessions = new SessionsService(dataSource, revocations);
  const users = new UsersService(dataSource);
  const tenants = new TenantsService(dataSource);
  const userLoader = entityLoader((caller, ids) => users.findMany(caller, ids));
  const tenantLoader = entityLoader((caller, ids) => tenants.findMany(caller, ids));
  const apiTokenLoader = entityLoader((caller, ids) => apiTokens.findMany(caller, ids));
  const hasher = new PasswordHasher();
  const rules = tokenRules(config);
  const apiTokens = new ApiTokensService(dataSource, revocations);
  const apiTokenUses = new ApiTokenLastUsedTracker(dataSource);
  const apiTokenVerifier = new ApiTokenVerifier(new ApiTokenLoader(dataSource));
  const serviceKeys = new ServiceKeys(config.serviceKeys);
  const strategies = createPassport({ users, hasher, sessions, keys, rules, apiTokens: apiTokenVerifier });
  const auth = new AuthService(strategies, new SignInThrottle(), sessions, new AccessTokens(keys, rules));

  await keys.refresh();
  await revocations.refresh();
  const bootstrapAdmin = await bootstrap(dataSource, hasher, config.bootstrapAdmin);

  const tasks = [
    repeat('the check of the signing keys', KEY_CHECK_MS, log, () => keys.refresh()),
    repeat('the clean-up of revocations', HOUR_MS, log, () => revocations.prune()),
    repeat('the clean-up of sessions', HOUR_MS, log, () => sessions.prune()),
    repeat('the clean-up of personal access tokens', HOUR_MS, log, () => apiTokens.prune()),
    repeat('writing when tokens were used', USES_WRITE_MS, log, () => apiTokenUses.flush()),
  ];
  // The embedded database has no other replica.
  if (!database.embedded)
    tasks.push(repeat('polling revocations', REVOCATION_POLL_MS, log, () => revocations.refresh()));

  return {
    name: 'identity',
    resolvers: [
      new AuthResolver(auth),
      new UserResolver(users, tenantLoader),
      new TenantResolver(tenants, users),
      new ApiTokenResolver(apiTokens),
    ],
    // No scope: they show what `me` shows; for more the services ask for the scope and the privilege themselves.
    references: [
      { type: 'User', access: { credential: 'bearer' }, resolve: byId(userLoader) },
      { type: 'Tenant', access: { credential: 'bearer' }, resolve: byId(tenantLoader) },
      { type: 'ApiToken', access: apiTokenRule, resolve: byId(apiTokenLoader) },
    ],
    authenticator: new TokenAuthenticator({ strategies, keys, revocations, apiTokenUses, serviceKeys }),
    tenants: new TenantDirectory(dataSource),
    bootstrapAdmin,
    jwks: () => keys.jwks(),
    close: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      await apiTokenUses.flush().catch((error: unknown) => log.warn({ err: error }, 'last uses of tokens are lost'));
    },
  };
}
