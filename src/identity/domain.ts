import type { JsonWebKey } from 'node:crypto';
import type { Authenticator } from '../access/caller.js';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import { byId } from '../graph/domain.js';
import { entityLoader } from '../graph/request-loader.js';
import type { PeriodicTask } from '../platform/async/periodic.js';
import { identityConfig } from './config.js';
import type { IdentityConfig } from './config.js';
import { AccessTokens, tokenRules } from './tokens/access-token.js';
import { ApiTokenLoader } from './tokens/api-token-loader.js';
import { ApiTokenLastUsedTracker } from './tokens/api-token-last-used-tracker.js';
import { ApiTokenVerifier } from './tokens/api-token-verifier.js';
import { ApiToken } from './tokens/api-token.entity.js';
import { ApiTokenResolver, apiTokenRule } from './tokens/api-token.resolver.js';
import { ApiTokensService } from './tokens/api-tokens.service.js';
import { AuthResolver } from './authentication/auth.resolver.js';
import { AuthService } from './authentication/auth.service.js';
import { bootstrap } from './users/bootstrap-admin.js';
import type { BootstrapAdmin } from './users/bootstrap-admin.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Identity1795298570623 } from './migrations/1795298570623-identity.js';
import { RefreshToken } from './sessions/refresh-token.entity.js';
import { Revocation } from './sessions/revocation.entity.js';
import { Session } from './sessions/session.entity.js';
import { RevocationsService } from './sessions/revocations.service.js';
import { ServiceKeys } from './tokens/service-keys.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInThrottle } from './authentication/sign-in-throttle.js';
import { SigningKey } from './tokens/signing-key.entity.js';
import { SigningKeysService } from './tokens/signing-keys.service.js';
import { createPassport } from './authentication/strategies.js';
import { TenantDirectory } from './tenants/tenant-directory.js';
import { Tenant } from './tenants/tenant.entity.js';
import { TenantResolver } from './tenants/tenant.resolver.js';
import { TenantsService } from './tenants/tenants.service.js';
import { TokenAuthenticator } from './authentication/token-authenticator.js';
import { User } from './users/user.entity.js';
import { UserResolver } from './users/user.resolver.js';
import { UsersService } from './users/users.service.js';

export { resetPassword } from './passwords/password-reset.js';
export type { TenantDirectory } from './tenants/tenant-directory.js';
export { Tenant, User };

const HOUR_MS = 60 * 60 * 1_000;
const REVOCATION_POLL_MS = 500;
const USES_WRITE_MS = 1_000;
/** Shorter than the time for which a new signing key is published before it signs. */
const KEY_CHECK_MS = 5 * 60 * 1_000;

/** What identity gives to later domains and to the transports. */
export interface IdentityPorts {
  readonly authenticator: Authenticator;
  readonly tenants: TenantDirectory;
  /** The user that this start has made, if it has. */
  readonly bootstrapAdmin?: BootstrapAdmin;
  /** The public signing keys, the answer of `/.well-known/jwks.json`. */
  jwks(): { keys: JsonWebKey[] };
}

/** Users and tenants, sign-in, tokens and their revocation. */
export const identity: DomainModule<typeof identityConfig, object, IdentityPorts> = {
  name: 'identity',
  config: identityConfig,
  entities: [ApiToken, RefreshToken, Revocation, Session, SigningKey, Tenant, User],
  migrations: [Identity1795298570623],
  create: createIdentity,
};

/** @throws ConfigError when the secret key is not this database's, or the first user cannot be made as configured */
async function createIdentity(host: Host<IdentityConfig>): Promise<DomainParts<IdentityPorts>> {
  const { config, database, log, secretBox } = host;
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
  const rules = tokenRules(config.publicUrl);
  const apiTokens = new ApiTokensService(dataSource, revocations);
  const apiTokenUses = new ApiTokenLastUsedTracker(dataSource);
  const apiTokenVerifier = new ApiTokenVerifier(new ApiTokenLoader(dataSource));
  const serviceKeys = new ServiceKeys(config.serviceKeys);
  const strategies = createPassport({ users, hasher, sessions, keys, rules, apiTokens: apiTokenVerifier });
  const auth = new AuthService(strategies, new SignInThrottle(), sessions, new AccessTokens(keys, rules));

  await keys.refresh();
  await revocations.refresh();
  const bootstrapAdmin = await bootstrap(dataSource, hasher, config);

  const poll = { name: 'polling revocations', intervalMs: REVOCATION_POLL_MS, run: () => revocations.refresh() };
  const tasks: PeriodicTask[] = [
    { name: 'the check of the signing keys', intervalMs: KEY_CHECK_MS, run: () => keys.refresh() },
    { name: 'the clean-up of revocations', intervalMs: HOUR_MS, run: () => revocations.prune() },
    { name: 'the clean-up of sessions', intervalMs: HOUR_MS, run: () => sessions.prune() },
    { name: 'the clean-up of personal access tokens', intervalMs: HOUR_MS, run: () => apiTokens.prune() },
    { name: 'writing when tokens were used', intervalMs: USES_WRITE_MS, run: () => apiTokenUses.flush() },
    // The embedded database has no other replica.
    ...(database.embedded ? [] : [poll]),
  ];

  return {
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
    tasks,
    permitsJob: ({ userId, tenantId }) => users.isActive(userId, tenantId),
    ports: {
      authenticator: new TokenAuthenticator({ strategies, keys, revocations, apiTokenUses, serviceKeys }),
      tenants: new TenantDirectory(dataSource),
      bootstrapAdmin,
      jwks: () => keys.jwks(),
    },
    close: () =>
      apiTokenUses.flush().catch((error: unknown) => log.warn({ err: error }, 'last uses of tokens are lost')),
  };
}
