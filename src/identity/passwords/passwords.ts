import type { DomainParts, Host } from '../../domain-module.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { AccountMails } from '../mails.js';
import type { ProviderStore } from '../providers/provider-store.js';
import type { SessionsService } from '../sessions/sessions.service.js';
import type { Accounts } from '../users/accounts.js';
import type { PasswordHasher } from './password-hasher.js';
import { PASSWORD_RESET_JOB, PasswordResetRequests } from './password-reset-requests.js';
import { PasswordTokens } from './password-tokens.js';
import { PasswordResolver } from './password.resolver.js';
import { PasswordsService } from './passwords.service.js';

const HOUR_MS = 60 * 60 * 1_000;

/** What passwords use of the rest of identity. */
interface PasswordsNeeds {
  readonly accounts: Accounts;
  readonly sessions: SessionsService;
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly limits: MailLimits;
  readonly mails: AccountMails;
  readonly providers: ProviderStore;
}

/** What passwords add to identity. */
interface Passwords extends Pick<DomainParts<object>, 'resolvers' | 'tasks' | 'jobHandlers'> {
  readonly tokens: PasswordTokens;
}

/** Wires the change of passwords, by their owners, by mail and by services. */
export function createPasswords(
  { audit, database, jobs, mailer, secretBox }: Host<object>,
  needs: PasswordsNeeds,
): Passwords {
  const { dataSource } = database;
  const tokens = new PasswordTokens(dataSource);
  const requests = new PasswordResetRequests({ ...needs, dataSource, jobs, mailer, secretBox, tokens, audit });
  const passwords = new PasswordsService({ ...needs, dataSource, tokens, audit });
  return {
    tokens,
    resolvers: [new PasswordResolver(passwords, requests)],
    tasks: [{ name: 'the clean-up of password tokens', intervalMs: HOUR_MS, run: () => tokens.prune() }],
    jobHandlers: { [PASSWORD_RESET_JOB]: requests.answer },
  };
}
