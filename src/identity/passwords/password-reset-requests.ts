import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { unknownActor } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Client } from '../../access/client.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job } from '../../platform/jobs/job.types.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import type { MailLimits } from '../authentication/mail-limits.js';
import type { AccountMails } from '../mails.js';
import type { ProviderStore } from '../providers/provider-store.js';
import { accountIdentifier } from '../users/account-identifier.js';
import { domainOf } from '../users/email-domain.js';
import { normalizeAddress } from '../users/email.js';
import { User } from '../users/user.entity.js';
import type { PasswordTokens } from './password-tokens.js';

/** The kind of job that answers the request for a new password. */
export const PASSWORD_RESET_JOB = 'password-reset';

const PURPOSE = 'password-reset';
const TOKEN_MS = 30 * 60 * 1_000;

interface PasswordResetParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly secretBox: SecretBox;
  readonly limits: MailLimits;
  readonly mailer: Mailer;
  readonly audit: AuditRecorder;
  readonly mails: AccountMails;
  readonly tokens: PasswordTokens;
  readonly providers: Pick<ProviderStore, 'findDirectory'>;
}

/**
 * Takes requests for a new password. Whether there is an account is looked up later, in a job: the answer, and the time
 * that it takes, are the same for every address.
 */
export class PasswordResetRequests {
  constructor(private readonly parts: PasswordResetParts) {}

  /** @throws BadRequest, RateLimited; Conflict `capability_not_supported` where no mail can be sent */
  async request(client: Client, address: string): Promise<void> {
    const { dataSource, mailer, limits, secretBox, jobs, audit } = this.parts;
    mailer.requireAvailable();
    const email = normalizeAddress(address);
    await limits.countMail(client, email);
    const sealed = secretBox.seal(PURPOSE, Buffer.from(email)).toString('base64');
    // Whether there is such an account nobody has looked up yet.
    const id = accountIdentifier(secretBox, email);
    const event = { tenantId: null, action: 'password.request_reset', target: { type: 'account', id } } as const;
    await dataSource.transaction(async (tx) => {
      await audit.record(tx, unknownActor(client, id), event);
      await jobs.enqueue({ kind: PASSWORD_RESET_JOB, payload: { sealed } }, tx);
    });
  }

  /** Does the job: mails a link, if there is an account whose password is kept here. */
  readonly answer = async ({ payload, transaction }: Pick<Job, 'payload' | 'transaction'>): Promise<void> => {
    const { secretBox, tokens, mailer, mails } = this.parts;
    const email = secretBox.unseal(PURPOSE, Buffer.from(String(payload.sealed), 'base64')).toString('utf8');
    const isOfDirectory = (await this.parts.providers.findDirectory(domainOf(email))) !== undefined;
    await transaction(async (tx) => {
      const user = await findAccount(tx, email);
      if (!user || (isOfDirectory && !user.isBootstrap)) return;
      const token = await tokens.issue(tx, user.id, TOKEN_MS);
      await mailer.send(mails.passwordReset(email, token), user.id, tx);
    });
  };
}

/** Those who have not confirmed their address yet need the code instead. */
function findAccount(tx: EntityManager, email: string): Promise<User | null> {
  return tx.findOneBy(User, { email, identityProviderId: IsNull(), status: 'active', confirmBefore: IsNull() });
}
