import type { Authenticator } from '../access/caller.js';
import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { Domain } from '../graph/domain.js';
import type { PeriodicTask } from '../platform/async/periodic.js';
import type { Database } from '../platform/database/database.js';
import { AttemptCounter } from './authentication/attempt-counter.entity.js';
import { AttemptLimiters } from './authentication/attempt-limiters.js';
import { MailLimits } from './authentication/mail-limits.js';
import { SignInAudit } from './authentication/sign-in-audit.js';
import { SignInThrottle } from './authentication/sign-in-throttle.js';
import { createAuthentication } from './authentication/authentication.js';
import { TokenIssuer } from './authentication/token-issuer.js';
import type { IdentityConfig } from './config.js';
import { identityConfig } from './config.js';
import { createDirectories } from './directories/directories.js';
import { DirectorySyncPerson } from './directories/sync/directory-sync-person.entity.js';
import { DirectorySync } from './directories/sync/directory-sync.entity.js';
import { accountPages } from './account-page.js';
import { AccountMails } from './mails.js';
import { Identity1795298570623 } from './migrations/1795298570623-identity.js';
import { RegistrationNetworks1795337590291 } from './migrations/1795337590291-registration-networks.js';
import { AuditIdentifiers1795351752474 } from './migrations/1795351752474-audit-identifiers.js';
import { People1795322976494 } from './migrations/1795322976494-people.js';
import { SingleSignOn1795324473870 } from './migrations/1795324473870-single-sign-on.js';
import { DirectorySyncs1795324909404 } from './migrations/1795324909404-directory-syncs.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordToken } from './passwords/password-token.entity.js';
import { createPasswords } from './passwords/passwords.js';
import { IdentityProvider } from './providers/identity-provider.entity.js';
import { IdentityProviderResolver } from './providers/identity-provider.resolver.js';
import { IdentityProvidersService } from './providers/identity-providers.service.js';
import { ProviderDomain } from './providers/provider-domain.entity.js';
import type { OpenedProvider } from './providers/provider-store.js';
import { ProviderStore } from './providers/provider-store.js';
import { testProvider } from './providers/provider-tester.js';
import { ConfirmationCode } from './registration/confirmation-code.entity.js';
import { createRegistration } from './registration/registration.js';
import { sealedIdentity } from './sealed.js';
import { RefreshToken } from './sessions/refresh-token.entity.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { Revocation } from './sessions/revocation.entity.js';
import { RevocationsService } from './sessions/revocations.service.js';
import { Session } from './sessions/session.entity.js';
import { SessionResolver } from './sessions/session.resolver.js';
import { SessionsService } from './sessions/sessions.service.js';
import { createSingleSignOn } from './sso/single-sign-on.js';
import { SsoCode } from './sso/sso-code.entity.js';
import { SsoFlow } from './sso/sso-flow.entity.js';
import { UsedSsoProof } from './sso/used-sso-proof.entity.js';
import { TenantDirectory } from './tenants/tenant-directory.js';
import { TenantDomain } from './tenants/tenant-domain.entity.js';
import { Tenant } from './tenants/tenant.entity.js';
import { ApiToken } from './tokens/api-token.entity.js';
import { SigningKey } from './tokens/signing-key.entity.js';
import { createTokens } from './tokens/tokens.js';
import type { TokenPorts } from './tokens/tokens.js';
import { AccountErasure } from './users/account-erasure.js';
import { Accounts } from './users/accounts.js';
import type { BootstrapAdmin } from './users/bootstrap-admin.js';
import { bootstrap } from './users/bootstrap-admin.js';
import { ExternalPeople } from './users/external-people.js';
import { createPeople } from './users/people.js';
import { isAdministrator } from './users/administrators.js';
import { User } from './users/user.entity.js';
import { UsersService } from './users/users.service.js';

export { resetPassword } from './passwords/password-reset.js';
export type { SignedDocument } from './tokens/document-signer.js';
export type { TenantDirectory } from './tenants/tenant-directory.js';
export { Tenant, User };

const HOUR_MS = 60 * 60 * 1_000;
const REVOCATION_POLL_MS = 500;

/** What identity gives to later domains and to the transports. */
export interface IdentityPorts extends TokenPorts {
  readonly authenticator: Authenticator;
  readonly tenants: TenantDirectory;
  /** The user that this start has made, if it has. */
  readonly bootstrapAdmin?: BootstrapAdmin;
  /** Whether a user administers its tenant at this moment. */
  isAdministrator(user: { readonly tenantId: string; readonly userId: string }): Promise<boolean>;
}

/** Users and tenants, sign-in, tokens and their revocation. */
export const identity: DomainModule<typeof identityConfig, object, IdentityPorts> = {
  name: 'identity',
  config: identityConfig,
  entities: [
    ApiToken,
    AttemptCounter,
    ConfirmationCode,
    DirectorySync,
    DirectorySyncPerson,
    IdentityProvider,
    PasswordToken,
    ProviderDomain,
    RefreshToken,
    Revocation,
    Session,
    SigningKey,
    SsoCode,
    SsoFlow,
    Tenant,
    TenantDomain,
    UsedSsoProof,
    User,
  ],
  migrations: [
    Identity1795298570623,
    People1795322976494,
    SingleSignOn1795324473870,
    DirectorySyncs1795324909404,
    RegistrationNetworks1795337590291,
    AuditIdentifiers1795351752474,
  ],
  sealed: sealedIdentity,
  create: createIdentity,
};

/** @throws ConfigError when the secret key is not this database's, or the first user cannot be made as configured */
async function createIdentity(host: Host<IdentityConfig>): Promise<DomainParts<IdentityPorts>> {
  const { config, database, log, secretBox } = host;
  const { dataSource } = database;
  const revocations = new RevocationsService(dataSource, host.redis && host.topics);
  const sessions = createSessions(host, revocations);
  const accounts = new Accounts(dataSource, revocations, host.audit);
  const people = new ExternalPeople(accounts, secretBox, log);
  const erasure = new AccountErasure({ ...host, dataSource, accounts });
  const users = new UsersService(dataSource);
  const store = new ProviderStore(dataSource, secretBox);
  const hasher = new PasswordHasher();
  const attempts = new AttemptLimiters(dataSource, secretBox);
  const throttle = new SignInThrottle(attempts.create);
  const mailing = { limits: new MailLimits(attempts.create), mails: new AccountMails(config), providers: store };
  const tokens = createTokens(host, revocations);
  const signInAudit = new SignInAudit({ audit: host.audit, secretBox });
  const issuer = new TokenIssuer(sessions, tokens.accessTokens);
  const directories = createDirectories(host, { store, accounts, people });
  const sso = createSingleSignOn(host, { store, people, throttle, tokens: issuer, signInAudit });
  const passwords = createPasswords(host, { ...mailing, accounts, sessions, hasher, throttle });
  const test = (provider: OpenedProvider) => testProvider({ ldap: directories.test, sso: sso.test }, provider);
  const providers = new IdentityProvidersService({ dataSource, store, accounts, test, audit: host.audit });
  const parts = { tokens, users, hasher, sessions, revocations, throttle, issuer, signInAudit };
  const authentication = createAuthentication({ ...parts, directories: directories.signIn });
  const rooms: Room[] = [
    { resolvers: [new SessionResolver(sessions), new IdentityProviderResolver(providers)] },
    authentication,
    { resolvers: [], tasks: tasksOf({ database, revocations, sessions, attempts }) },
    tokens,
    createPeople(host, { ...mailing, users, accounts, erasure, tokens: passwords.tokens }),
    createRegistration(host, { ...mailing, accounts, erasure, hasher, throttle, tokens: passwords.tokens }),
    passwords,
    sso,
    directories,
  ];

  await Promise.all([tokens.keys.refresh(), revocations.refresh()]);
  const stopListening = revocations.listen();
  const bootstrapAdmin = await bootstrap(dataSource, hasher, config, host.audit);

  return {
    ...mergeRooms(rooms),
    pages: accountPages(),
    permitsJob: ({ userId, tenantId }) => users.isActive(userId, tenantId),
    permitsToken: async (token) => token.expiresAt > Date.now() / 1_000 && !revocations.isRevoked(token),
    knowsUser: (id) => users.exists(id),
    eraseUser: directories.eraseUser,
    ports: {
      authenticator: authentication.authenticator,
      tenants: new TenantDirectory(dataSource),
      ...tokens.ports,
      bootstrapAdmin,
      isAdministrator: (user) => isAdministrator(host.database.dataSource, user),
    },
    close: async () => {
      stopListening();
      await tokens.close?.();
    },
  };
}

function createSessions(host: Host<IdentityConfig>, revocations: RevocationsService): SessionsService {
  const { audit, config, database, secretBox } = host;
  const { dataSource } = database;
  const tokens = new RefreshTokens({ dataSource, secretBox, graceSeconds: config.refreshGraceSeconds });
  return new SessionsService(dataSource, tokens, revocations, audit);
}

/** What a room of identity adds to it. */
type Room = Pick<DomainParts<object>, 'resolvers' | 'tasks' | 'jobHandlers'> & Partial<Pick<Domain, 'references'>>;

function mergeRooms(rooms: readonly Room[]): Required<Room> {
  return {
    resolvers: rooms.flatMap(({ resolvers }) => resolvers),
    references: rooms.flatMap(({ references = [] }) => references),
    tasks: rooms.flatMap(({ tasks = [] }) => tasks),
    jobHandlers: Object.fromEntries(rooms.flatMap(({ jobHandlers = {} }) => Object.entries(jobHandlers))),
  };
}

interface TaskNeeds {
  readonly database: Database;
  readonly revocations: RevocationsService;
  readonly sessions: SessionsService;
  readonly attempts: AttemptLimiters;
}

function tasksOf({ database, revocations, sessions, attempts }: TaskNeeds): PeriodicTask[] {
  const poll = { name: 'polling revocations', intervalMs: REVOCATION_POLL_MS, run: () => revocations.refresh() };
  return [
    { name: 'the clean-up of revocations', intervalMs: HOUR_MS, run: () => revocations.prune() },
    { name: 'the clean-up of sessions', intervalMs: HOUR_MS, run: () => sessions.prune() },
    { name: 'the clean-up of counted attempts', intervalMs: HOUR_MS, run: () => attempts.prune() },
    // The embedded database has no other replica.
    ...(database.embedded ? [] : [poll]),
  ];
}
