import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import type { Contributions, ErasedUser, Erasure } from '../../domain-module.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { fromUuid, isId, newId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Job, JobHandler } from '../../platform/jobs/job.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { accountIdentifier, isAccountIdentifier, ssoAccountName } from './account-identifier.js';
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
/**
 * What the jobs have to know is sealed for, together with the kind of the job: whoever can write to the database must not
 * have anything erased that nobody deleted.
 */
const PURPOSE = 'erasure';
/** Of what pseudonyms of a tenant's users are made with. */
const SEED_BYTES = 32;
/** Hexadecimal. */
const UUID_DIGITS = 32;

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
  async delete({ tx, endSessions }: AccountChange, users: readonly Pick<User, 'id' | 'tenantId'>[]): Promise<void> {
    if (users.length === 0) return;
    const identifiers = await this.identifiersOf(tx, 'u.id = ANY ($1)', [users.map(({ id }) => id)]);
    for (const { id, tenantId } of users) {
      const erased: ErasedUser = { id, tenantId, pseudonym: newId('usr'), identifiers: identifiers.get(id) ?? [] };
      const { pseudonym } = erased;
      // No address: nobody signs in by it.
      await tx.update(
        User,
        { id },
        { ...NOBODY, email: pseudonym, pseudonym, auditIdentifiers: [...erased.identifiers] },
      );
      await this.enqueue(tx, ERASE_USER_JOB, erased);
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
    const deleted: DeletedTenant = { id: tenantId, seed: randomBytes(SEED_BYTES).toString('base64') };
    await this.enqueue(tx, ERASE_TENANT_JOB, deleted);
  }

  /** What does the jobs. */
  get jobHandlers(): Readonly<Record<string, JobHandler>> {
    return {
      [ERASE_USER_JOB]: (job) => this.eraseUser(job),
      [ERASE_USER_AGAIN_JOB]: (job) => this.eraseUserAgain(job),
      [ERASE_TENANT_JOB]: (job) => this.eraseTenant(job),
      [ERASE_TENANT_AGAIN_JOB]: (job) => this.eraseTenantAgain(job),
    };
  }

  private async eraseUser({ payload, ...job }: EraseJob): Promise<void> {
    const erased = this.open<ErasedUser>(ERASE_USER_JOB, payload);
    // By the row it is only known whether that was done.
    const isLeft = await this.parts.dataSource.getRepository(User).existsBy({ id: erased.id, status: 'deleted' });
    if (isLeft) await this.erase(erased, job);
  }

  private async eraseTenant({ payload, ...job }: EraseJob): Promise<void> {
    const { id, seed } = this.open<DeletedTenant>(ERASE_TENANT_JOB, payload);
    const { dataSource, accounts, log } = this.parts;
    if (!(await this.requireDeleted(id))) return;
    for (;;) {
      const users = await dataSource
        .getRepository(User)
        .find({ where: { tenantId: id }, order: { id: 'ASC' }, take: BATCH });
      if (users.length === 0) break;
      for (const user of users) {
        job.signal.throwIfAborted();
        const pseudonym = toPseudonym(seed, user.id);
        await accounts.change(async ({ tx, endSessions }) => {
          await tx.update(User, { id: user.id }, { ...NOBODY, email: pseudonym, pseudonym });
          await endSessions([user.id]);
        }, job.transaction);
        await this.erase(toErasedUser(user, pseudonym), job);
      }
    }
    await this.eraseTenantEverywhere(id, job);
    await job.transaction(async (tx) => {
      await tx.query('DELETE FROM identity_providers WHERE tenant_id = $1', [id]);
      await tx.delete(Tenant, { id });
      await this.enqueue(tx, ERASE_TENANT_AGAIN_JOB, { id }, AGAIN_AFTER_SECONDS);
    });
    log.info({ tenant: id }, 'a tenant and what belonged to it were erased');
  }

  private async eraseTenantAgain({ payload, ...job }: EraseJob): Promise<void> {
    const { id } = this.open<Pick<DeletedTenant, 'id'>>(ERASE_TENANT_AGAIN_JOB, payload);
    await this.requireDeleted(id);
    await this.eraseTenantEverywhere(id, job);
  }

  /**
   * Requires that a tenant was deleted.
   * @returns whether its row is still there
   * @throws Error where nobody has deleted it
   */
  private async requireDeleted(id: string): Promise<boolean> {
    const tenant = await this.parts.dataSource.getRepository(Tenant).findOneBy({ id });
    if (tenant && tenant.deletedAt === null) throw new Error('A tenant that nobody has deleted is not erased.');
    return tenant !== null;
  }

  private async erase(erased: ErasedUser, erasure: Erasure): Promise<void> {
    await this.eraseUserEverywhere(erased, erasure);
    await erasure.transaction(async (tx) => {
      // With it go sessions, tokens and whatever else refers to it.
      await tx.delete(User, { id: erased.id });
      await this.enqueue(tx, ERASE_USER_AGAIN_JOB, erased, AGAIN_AFTER_SECONDS);
    });
    this.parts.log.info('a user and what belonged to it were erased');
  }

  private async eraseUserAgain({ payload, ...job }: EraseJob): Promise<void> {
    await this.eraseUserEverywhere(this.open<ErasedUser>(ERASE_USER_AGAIN_JOB, payload), job);
  }

  private async eraseUserEverywhere(user: ErasedUser, erasure: Erasure): Promise<void> {
    for (const part of this.parts.contributions().toReversed()) await part.eraseUser?.(user, erasure);
  }

  private async eraseTenantEverywhere(id: string, erasure: Erasure): Promise<void> {
    for (const part of this.parts.contributions().toReversed()) await part.eraseTenant?.({ id }, erasure);
  }

  private async enqueue(tx: EntityManager, kind: string, content: object, delaySeconds?: number): Promise<void> {
    const { jobs, secretBox } = this.parts;
    const sealed = secretBox.seal(PURPOSE, Buffer.from(JSON.stringify({ kind, content }))).toString('base64');
    await jobs.enqueue({ kind, payload: { sealed }, delaySeconds }, tx);
  }

  /** What `enqueue` has sealed. @throws Error where this installation has not sealed it for that kind */
  private open<Content>(kind: string, payload: JsonObject): Content {
    const opened = this.parts.secretBox.unseal(PURPOSE, Buffer.from(String(payload.sealed), 'base64'));
    const sealed = JSON.parse(opened.toString('utf8')) as { readonly kind: string; readonly content: Content };
    if (sealed.kind !== kind) throw new Error('What was sealed for one kind of erasure is not done by another.');
    return sealed.content;
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
        const own = names.map((name) => accountIdentifier(secretBox, name));
        return [id, [...new Set([...known.filter(isAccountIdentifier), ...own])]];
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

/** What is sealed of a tenant that was deleted. */
interface DeletedTenant {
  readonly id: string;
  /** Random bytes in base64, which are gone with the job. */
  readonly seed: string;
}

/** A pseudonym of a user of a tenant: after a crash it is the same, and nobody can choose it by writing to the database. */
function toPseudonym(seed: string, userId: string): string {
  const mac = createHmac('sha256', Buffer.from(seed, 'base64')).update(userId).digest('hex');
  return fromUuid('usr', mac.slice(0, UUID_DIGITS));
}

/**
 * What is known of a user of a tenant that was deleted.
 * @throws Error where it has the id of something else, which the audit log must go on to name
 */
function toErasedUser({ id, tenantId, auditIdentifiers }: User, pseudonym: string): ErasedUser {
  if (!isId('usr', id)) throw new Error('What has no id of a user is not erased as one.');
  return { id, tenantId, pseudonym, identifiers: (auditIdentifiers ?? []).filter(isAccountIdentifier) };
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
