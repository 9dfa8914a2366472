import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Contributions, Erasure } from '../../domain-module.js';
import { newId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, JobHandler } from '../../platform/jobs/job.types.js';
import { Tenant } from '../tenants/tenant.entity.js';
import type { AccountChange, Accounts } from './accounts.js';
import { User } from './user.entity.js';

/** The kinds of jobs that erase what belonged to a user, or to a tenant with all its users. */
const ERASE_USER_JOB = 'erase-user';
const ERASE_TENANT_JOB = 'erase-tenant';

/** Users of a tenant that are taken away in one transaction. */
const BATCH = 500;

interface AccountErasureParts {
  readonly dataSource: DataSource;
  readonly accounts: Accounts;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  /** Of every part of the server, in order of dependence. */
  readonly contributions: () => readonly Contributions[];
  readonly log: Logger;
}

/**
 * Takes accounts away: at once for everybody, and what they own in a durable job, which goes on after a crash. Each part
 * of the server erases its own; a later one first, since it stands on earlier ones.
 */
export class AccountErasure {
  constructor(private readonly parts: AccountErasureParts) {}

  /** Takes users away within a change. Their addresses are free when it is committed, and their sessions have ended. */
  async delete({ tx, endSessions }: AccountChange, users: readonly Pick<User, 'id'>[]): Promise<void> {
    for (const { id } of users) {
      const pseudonym = newId('usr');
      // No address: nobody signs in by it.
      await tx.update(User, { id }, { ...NOBODY, email: pseudonym, pseudonym });
      await this.parts.jobs.enqueue({ kind: ERASE_USER_JOB, payload: { pseudonym } }, tx);
    }
    await endSessions(users.map(({ id }) => id));
  }

  /** Takes a tenant away within a change, with its users. */
  async deleteTenant(change: AccountChange, tenantId: string): Promise<void> {
    const { tx, endSessions } = change;
    await tx.update(Tenant, { id: tenantId }, { deletedAt: new Date(), name: '' });
    await tx.query(
      'DELETE FROM provider_domains WHERE provider_id IN (SELECT id FROM identity_providers WHERE tenant_id = $1)',
      [tenantId],
    );
    await tx.query('UPDATE identity_providers SET enabled = false, tid = NULL WHERE tenant_id = $1', [tenantId]);
    await tx.query('DELETE FROM tenant_domains WHERE tenant_id = $1', [tenantId]);
    // One statement for all of them; what each owns is the job's.
    const rows = await tx.query<{ id: string }[]>(
      `WITH ended AS (${END_USERS_OF_TENANT} RETURNING id) SELECT id FROM ended`,
      [tenantId],
    );
    await endSessions(rows.map(({ id }) => id));
    await this.parts.jobs.enqueue({ kind: ERASE_TENANT_JOB, payload: { tenantId } }, tx);
  }

  /** What does the jobs. */
  get jobHandlers(): Readonly<Record<string, JobHandler>> {
    return { [ERASE_USER_JOB]: (job) => this.eraseUser(job), [ERASE_TENANT_JOB]: (job) => this.eraseTenant(job) };
  }

  private async eraseUser({ payload, ...job }: EraseJob): Promise<void> {
    const pseudonym = String(payload.pseudonym);
    const user = await this.parts.dataSource.getRepository(User).findOneBy({ pseudonym, status: 'deleted' });
    if (user) await this.erase(user, pseudonym, job);
  }

  private async eraseTenant({ payload, ...job }: EraseJob): Promise<void> {
    const id = String(payload.tenantId);
    const { dataSource, accounts, contributions, log } = this.parts;
    if (!(await dataSource.getRepository(Tenant).existsBy({ id }))) return;
    for (;;) {
      const users = await dataSource
        .getRepository(User)
        .find({ where: { tenantId: id }, order: { id: 'ASC' }, take: BATCH });
      if (users.length === 0) break;
      for (const user of users) {
        job.signal.throwIfAborted();
        const pseudonym = user.pseudonym ?? newId('usr');
        // Kept with the account, so that it is the same after a crash.
        await accounts.change(async ({ tx, endSessions }) => {
          await tx.update(User, { id: user.id }, { ...NOBODY, email: pseudonym, pseudonym });
          await endSessions([user.id]);
        }, job.transaction);
        await this.erase(user, pseudonym, job);
      }
    }
    for (const part of contributions().toReversed()) await part.eraseTenant?.({ id }, job);
    await job.transaction(async (tx) => {
      await tx.query('DELETE FROM identity_providers WHERE tenant_id = $1', [id]);
      await tx.delete(Tenant, { id });
    });
    log.info({ tenant: id }, 'a tenant and what belonged to it were erased');
  }

  private async erase({ id, tenantId }: User, pseudonym: string, erasure: Erasure): Promise<void> {
    const { contributions, log } = this.parts;
    for (const part of contributions().toReversed()) await part.eraseUser?.({ id, tenantId, pseudonym }, erasure);
    // With it go sessions, tokens and whatever else refers to it.
    await erasure.transaction((tx) => tx.delete(User, { id }));
    log.info('a user and what belonged to it were erased');
  }
}

type EraseJob = Pick<Job, 'payload' | 'signal' | 'transaction'>;

/** What is left of somebody until everything is erased. */
const NOBODY = {
  status: 'deleted',
  username: '',
  passwordHash: null,
  identityProviderId: null,
  externalId: null,
  groupMemberships: [] as string[],
  privileges: [] as User['privileges'],
  isBootstrap: false,
  confirmBefore: null,
} satisfies Partial<User>;

/** Addresses become free at once: the id, which has no @, stands in their place. */
const END_USERS_OF_TENANT = `
  UPDATE users SET status = 'deleted', email = id, username = '', password_hash = NULL, identity_provider_id = NULL,
    external_id = NULL, group_memberships = '{}', privileges = '{}', is_bootstrap = false, confirm_before = NULL
  WHERE tenant_id = $1 AND status <> 'deleted'`;
