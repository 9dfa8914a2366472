import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import type { Contributions, ErasedUser, Erasure } from '../../domain-module.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { newId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, JobHandler } from '../../platform/jobs/job.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { accountIdentifier, ssoAccountName } from './account-identifier.js';
import type { AccountChange, Accounts } from './accounts.js';
import { User } from './user.entity.js';

/** The kinds of jobs that erase what belonged to a user, or to a tenant with all its users. */
const ERASE_USER_JOB = 'erase-user';
const ERASE_TENANT_JOB = 'erase-tenant';
/** The kinds of jobs that do so once more, when nobody can act for the user any more, or write for the tenant. */
const ERASE_USER_AGAIN_JOB = 'erase-user-again';
const ERASE_TENANT_AGAIN_JOB = 'erase-tenant-again';
/** Another process may act for a user until it hears of the end of the sessions, and ends what it has begun. */
const AGAIN_AFTER_SECONDS = 60;
/** What the second erasure has to know of a user is sealed for. */
const PURPOSE = 'erased-user';

/** Users of a tenant that are taken away in one transaction. */
const BATCH = 500;

interface AccountErasureParts {
  readonly dataSource: DataSource;
  readonly accounts: Accounts;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly secretBox: Pick<SecretBox, 'mac' | 'seal' | 'unseal'>;
  /** Of every part of the server, in order of dependence. */
  readonly contributions: () => readonly Contributions[];
  readonly log: Logger;
}

/**
 * Takes accounts away: at once for everybody, and what they own in a durable job, which goes on after a crash. Each part
 * of the server erases its own; a later one first, since it stands on earlier ones. It is done once more a minute later,
 * for what other processes were still about to write.
 */
export class AccountErasure {
  constructor(private readonly parts: AccountErasureParts) {}

  /** Takes users away within a change. Their addresses are free when it is committed, and their sessions have ended. */
  async delete({ tx, endSessions }: AccountChange, users: readonly Pick<User, 'id'>[]): Promise<void> {
    if (users.length === 0) return;
    const identifiers = await this.identifiersOf(tx, 'u.id = ANY ($1)', [users.map(({ id }) => id)]);
    for (const { id } of users) {
      const pseudonym = newId('usr');
      const auditIdentifiers = identifiers.get(id) ?? [];
      // No address: nobody signs in by it.
      await tx.update(User, { id }, { ...NOBODY, email: pseudonym, pseudonym, auditIdentifiers });
      await this.parts.jobs.enqueue({ kind: ERASE_USER_JOB, payload: { pseudonym } }, tx);
    }
    await endSessions(users.map(({ id }) => id));
  }

  /** Takes a tenant away within a change, with its users. */
  async deleteTenant(change: AccountChange, tenantId: string): Promise<void> {
    const { tx, endSessions } = change;
    await tx.update(Tenant, { id: tenantId }, { deletedAt: new Date(), name: '' });
    const identifiers = await this.identifiersOf(tx, "u.tenant_id = $1 AND u.status <> 'deleted'", [tenantId]);
    await tx.query(
      'DELETE FROM provider_domains WHERE provider_id IN (SELECT id FROM identity_providers WHERE tenant_id = $1)',
      [tenantId],
    );
    await tx.query('UPDATE identity_providers SET enabled = false, tid = NULL WHERE tenant_id = $1', [tenantId]);
    await tx.query('DELETE FROM tenant_domains WHERE tenant_id = $1', [tenantId]);
    // One statement for all of them; what each owns is the job's.
    const lists = [...identifiers.values()].map((list) => list.join(' '));
    const rows = await tx.query<{ id: string }[]>(
      `WITH ended AS (${END_USERS_OF_TENANT} RETURNING users.id) SELECT id FROM ended`,
      [tenantId, [...identifiers.keys()], lists],
    );
    await endSessions(rows.map(({ id }) => id));
    await this.parts.jobs.enqueue({ kind: ERASE_TENANT_JOB, payload: { tenantId } }, tx);
  }

  /** What does the jobs. */
  get jobHandlers(): Readonly<Record<string, JobHandler>> {
    return {
      [ERASE_USER_JOB]: (job) => this.eraseUser(job),
      [ERASE_USER_AGAIN_JOB]: (job) => this.eraseUserAgain(job),
      [ERASE_TENANT_JOB]: (job) => this.eraseTenant(job),
      [ERASE_TENANT_AGAIN_JOB]: ({ payload, ...job }) => this.eraseTenantEverywhere(String(payload.tenantId), job),
    };
  }

  private async eraseUser({ payload, ...job }: EraseJob): Promise<void> {
    const pseudonym = String(payload.pseudonym);
    const user = await this.parts.dataSource.getRepository(User).findOneBy({ pseudonym, status: 'deleted' });
    if (user) await this.erase(user, pseudonym, job);
  }

  private async eraseTenant({ payload, ...job }: EraseJob): Promise<void> {
    const id = String(payload.tenantId);
    const { dataSource, accounts, log } = this.parts;
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
    await this.eraseTenantEverywhere(id, job);
    await job.transaction(async (tx) => {
      await tx.query('DELETE FROM identity_providers WHERE tenant_id = $1', [id]);
      await tx.delete(Tenant, { id });
      await this.enqueueAgain(tx, ERASE_TENANT_AGAIN_JOB, { tenantId: id });
    });
    log.info({ tenant: id }, 'a tenant and what belonged to it were erased');
  }

  private async erase(user: User, pseudonym: string, erasure: Erasure): Promise<void> {
    const { id, tenantId, auditIdentifiers } = user;
    const erased: ErasedUser = { id, tenantId, pseudonym, identifiers: auditIdentifiers ?? [] };
    await this.eraseUserEverywhere(erased, erasure);
    const sealed = this.parts.secretBox.seal(PURPOSE, Buffer.from(JSON.stringify(erased))).toString('base64');
    await erasure.transaction(async (tx) => {
      // With it go sessions, tokens and whatever else refers to it.
      await tx.delete(User, { id });
      await this.enqueueAgain(tx, ERASE_USER_AGAIN_JOB, { sealed });
    });
    this.parts.log.info('a user and what belonged to it were erased');
  }

  private async eraseUserAgain({ payload, ...job }: EraseJob): Promise<void> {
    const opened = this.parts.secretBox.unseal(PURPOSE, Buffer.from(String(payload.sealed), 'base64'));
    await this.eraseUserEverywhere(JSON.parse(opened.toString('utf8')) as ErasedUser, job);
  }

  private async eraseUserEverywhere(user: ErasedUser, erasure: Erasure): Promise<void> {
    for (const part of this.parts.contributions().toReversed()) await part.eraseUser?.(user, erasure);
  }

  private async eraseTenantEverywhere(id: string, erasure: Erasure): Promise<void> {
    for (const part of this.parts.contributions().toReversed()) await part.eraseTenant?.({ id }, erasure);
  }

  private async enqueueAgain(tx: EntityManager, kind: string, payload: JsonObject): Promise<void> {
    await this.parts.jobs.enqueue({ kind, payload, delaySeconds: AGAIN_AFTER_SECONDS }, tx);
  }

  /** What the audit log may call users beside their ids, by these. @param condition of users `u`, written in the code */
  private async identifiersOf(
    tx: EntityManager,
    condition: string,
    parameters: unknown[],
  ): Promise<Map<string, string[]>> {
    const { secretBox } = this.parts;
    const rows = await tx.query<NamedUser[]>(`${NAMED_USERS} WHERE ${condition}`, parameters);
    return new Map(
      rows.map(({ id, email, oid, tid, known }) => {
        const names = [email, ...(oid !== null && tid !== null ? [ssoAccountName(tid, oid)] : [])];
        return [id, [...new Set([...known, ...names.map((name) => accountIdentifier(secretBox, name))])]];
      }),
    );
  }
}

interface NamedUser {
  readonly id: string;
  readonly email: string;
  readonly oid: string | null;
  readonly tid: string | null;
  /** What is kept already. */
  readonly known: readonly string[];
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

/** With the `tid` that the provider has now: what an account was linked by before such names were kept is kept nowhere. */
const NAMED_USERS = `
  SELECT u.id, u.email, u.external_id AS oid, p.settings ->> 'tid' AS tid, coalesce(u.audit_identifiers, '{}') AS known
  FROM users u LEFT JOIN identity_providers p ON p.id = u.identity_provider_id`;

/** Addresses become free at once: the id, which has no @, stands in their place. */
const END_USERS_OF_TENANT = `
  UPDATE users SET status = 'deleted', email = users.id, username = '', password_hash = NULL,
    identity_provider_id = NULL, external_id = NULL, group_memberships = '{}', privileges = '{}', is_bootstrap = false,
    confirm_before = NULL, audit_identifiers = string_to_array(named.identifiers, ' ')
  FROM users u LEFT JOIN unnest($2::text[], $3::text[]) AS named (id, identifiers) ON named.id = u.id
  WHERE users.id = u.id AND users.tenant_id = $1 AND users.status <> 'deleted'`;
