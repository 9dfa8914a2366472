import type { DomainParts, Host } from '../../domain-module.js';
import { byId } from '../../graph/domain.js';
import { entityLoader } from '../../graph/request-loader.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import type { AccountMails } from '../mails.js';
import type { PasswordTokens } from '../passwords/password-tokens.js';
import type { ProviderStore } from '../providers/provider-store.js';
import { TenantResolver } from '../tenants/tenant.resolver.js';
import { TenantSettingsResolver } from '../tenants/tenant-settings.resolver.js';
import { TenantSettingsService } from '../tenants/tenant-settings.service.js';
import { TenantsService } from '../tenants/tenants.service.js';
import type { AccountErasure } from './account-erasure.js';
import type { Accounts } from './accounts.js';
import { UserAdministrationService } from './user-administration.service.js';
import { UserResolver } from './user.resolver.js';
import type { UsersService } from './users.service.js';

/** What users and tenants use of the rest of identity. */
interface PeopleNeeds {
  readonly users: UsersService;
  readonly accounts: Accounts;
  readonly erasure: AccountErasure;
  readonly providers: ProviderStore;
  readonly limits: MailLimits;
  readonly mails: AccountMails;
  readonly tokens: PasswordTokens;
}

/** Wires users and tenants, for themselves and for their administrators. */
export function createPeople(
  { audit, database, mailer, secretBox }: Host<object>,
  { users, ...needs }: PeopleNeeds,
): Pick<DomainParts<object>, 'resolvers' | 'references' | 'jobHandlers'> {
  const { dataSource } = database;
  const tenants = new TenantsService({ ...needs, dataSource, audit });
  const administration = new UserAdministrationService({ ...needs, mailer, audit, secretBox });
  const userLoader = entityLoader((caller, ids) => users.findMany(caller, ids));
  const tenantLoader = entityLoader((caller, ids) => tenants.findMany(caller, ids));
  return {
    resolvers: [
      new UserResolver(users, administration, tenantLoader),
      new TenantResolver(tenants, users),
      new TenantSettingsResolver(new TenantSettingsService(dataSource, audit)),
    ],
    // No scope: they show what `me` shows; for more the services ask for the scope and the privilege themselves.
    references: [
      { type: 'User', access: { credential: 'bearer' }, resolve: byId(userLoader) },
      { type: 'Tenant', access: { credential: 'bearer' }, resolve: byId(tenantLoader) },
    ],
    jobHandlers: needs.erasure.jobHandlers,
  };
}
