import type { DomainParts, Host } from '../../domain-module.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { AccountMails } from '../mails.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordTokens } from '../passwords/password-tokens.js';
import type { ProviderStore } from '../providers/provider-store.js';
import type { AccountErasure } from '../users/account-erasure.js';
import type { Accounts } from '../users/accounts.js';
import { RegistrationPolicy } from './registration-policy.js';
import { RegistrationResolver } from './registration.resolver.js';
import { RegistrationService } from './registration.service.js';

const HOUR_MS = 60 * 60 * 1_000;

/** What registration uses of the rest of identity. */
interface RegistrationNeeds {
  readonly accounts: Accounts;
  readonly erasure: AccountErasure;
  readonly hasher: PasswordHasher;
  readonly limits: MailLimits;
  readonly mails: AccountMails;
  readonly providers: ProviderStore;
  readonly throttle: SignInThrottle;
  readonly tokens: PasswordTokens;
}

/** Wires the registration of people who have no account yet. */
export function createRegistration(
  { audit, config, database, mailer, secretBox }: Host<object>,
  needs: RegistrationNeeds,
): Pick<DomainParts<object>, 'resolvers' | 'tasks'> {
  const { dataSource } = database;
  const policy = new RegistrationPolicy(dataSource, needs.providers, config.nodeEnv !== 'production');
  const registration = new RegistrationService({ ...needs, dataSource, policy, mailer, secretBox, audit });
  return {
    resolvers: [new RegistrationResolver(registration)],
    tasks: [{ name: 'the clean-up of registrations', intervalMs: HOUR_MS, run: () => registration.prune() }],
  };
}
