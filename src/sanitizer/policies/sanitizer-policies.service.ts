import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { requireTenantAdmin, rethrowUnknownTenant, tenantScope } from '../../access/tenancy.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { CallerPlaces } from '../../platform/async/caller-places.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { isId, newId } from '../../platform/ids.js';
import { checkOwned, checkPatch, checkPolicy } from './policy-settings.js';
import { tryRules } from './policy-trial.js';
import type { SanitizerPolicies } from './sanitizer-policies.js';
import { SanitizerPolicy } from './sanitizer-policy.entity.js';
import type { SanitizerPolicyInput, SanitizerPolicyPatch } from './sanitizer-policy.inputs.js';
import type { SanitizerRule, SanitizerTest } from './sanitizer-policy.types.js';

/** Policies of one tenant, and those for everybody together. */
const MAX_POLICIES = 20;
/** Of one user: checks of rules that wait. */
const WAITING_FOR_USER = 10;

/** Policies that administrators make: sysadmins for everybody, admins for their tenant alone. */
export class SanitizerPoliciesService {
  /** All of them are worked on by the one thread that answers everybody: two at once would be done no sooner. */
  private readonly places = new CallerPlaces({
    name: 'checks of sanitizer rules',
    places: 1,
    perUser: 1,
    waiting: WAITING_FOR_USER,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly policies: SanitizerPolicies,
    private readonly audit: AuditRecorder,
  ) {}

  /** A page of those that the caller administers. */
  async list(caller: Caller, page: PageArgs): Promise<Connection<SanitizerPolicy>> {
    const rows = this.dataSource.getRepository(SanitizerPolicy);
    return readTablePage<SanitizerPolicy, SanitizerPolicy>(page, rows, tenantScope(caller), (row) => row);
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<SanitizerPolicy> {
    return find(this.dataSource.manager, { ...tenantScope(caller), id });
  }

  /**
   * Makes a policy; it holds on this process at once, on the others within 2 s.
   * @param tenantId whose calls it is for; left out: the caller's tenant, or everybody where a sysadmin makes it
   * @throws BadRequest that names the field, NotFound for another's tenant, Conflict where there are too many;
   * RateLimited, Unavailable where too many rules are checked; the reason of the signal while it waits for that
   */
  async create(
    caller: Caller,
    input: SanitizerPolicyInput,
    tenantId: string | null | undefined,
    signal: AbortSignal,
  ): Promise<SanitizerPolicy> {
    const owner = ownerOf(caller, tenantId);
    const settings = await this.places.run({ ...caller, signal }, () => checkPolicy(input));
    const id = newId('pol');
    const now = new Date();
    const row = { id, tenantId: owner, ...settings, revision: 1, createdAt: now, updatedAt: now };
    await this.write(async (tx) => {
      const others = await findOwned(tx, owner);
      if (others.length >= MAX_POLICIES) {
        throw new Conflict('conflict', `There may be ${MAX_POLICIES} sanitizer policies at most.`);
      }
      checkOwned([...others, settings]);
      await tx.insert(SanitizerPolicy, row);
      await this.record(tx, caller, 'sanitizer_policy.create', row);
    });
    return find(this.dataSource.manager, { id });
  }

  /**
   * Changes what the patch names, as soon as `create` does. What it leaves out is not checked again, so that a policy
   * that cannot be compiled any more can be disabled, and one that is to be disabled at once waits for nobody's rules.
   * @throws as `create` does; NotFound also for those of others
   */
  async update(caller: Caller, id: string, patch: SanitizerPolicyPatch, signal: AbortSignal): Promise<SanitizerPolicy> {
    const where = { ...tenantScope(caller, 'admin:write'), id };
    const check = () => checkPatch(patch);
    const changes = await (patch.rules ? this.places.run({ ...caller, signal }, check) : check());
    await this.write(async (tx) => {
      const row = await find(tx, where, true);
      if (changes.rules) {
        const owned = await findOwned(tx, row.tenantId);
        checkOwned(owned.map((policy) => (policy.id === id ? { rules: changes.rules ?? [] } : policy)));
      }
      await tx.update(SanitizerPolicy, { id }, { ...changes, revision: row.revision + 1, updatedAt: new Date() });
      await this.record(tx, caller, 'sanitizer_policy.update', row);
    });
    return find(this.dataSource.manager, where);
  }

  /**
   * Deletes a policy; it does not hold any more, as soon as `create` says.
   * @throws NotFound also for those of others
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.write(async (tx) => {
      const row = await find(tx, { ...tenantScope(caller, 'admin:write'), id }, true);
      await tx.delete(SanitizerPolicy, { id });
      await this.record(tx, caller, 'sanitizer_policy.delete', row);
    });
  }

  /**
   * Tries rules on a text.
   * @throws BadRequest that names the field; ContentBlocked where a call is refused since it cannot be decided; RateLimited,
   * Unavailable where too many rules are checked; the reason of the signal
   */
  test(caller: Caller, text: string, rules: SanitizerRule[], signal: AbortSignal): Promise<SanitizerTest> {
    return this.places.run({ ...caller, signal }, () => tryRules(text, rules, signal));
  }

  private record(
    tx: EntityManager,
    caller: Caller,
    action: `sanitizer_policy.${string}`,
    { id, tenantId }: Pick<SanitizerPolicy, 'id' | 'tenantId'>,
  ): Promise<void> {
    return this.audit.record(tx, actorOf(caller), { tenantId, action, target: { type: 'sanitizer_policy', id } });
  }

  /** Commits a change and lets it hold. */
  private async write(change: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(change).catch(rethrowUnknownTenant);
    await this.policies.refresh();
  }
}

async function find(
  tx: EntityManager,
  where: { readonly tenantId?: string; readonly id: string },
  locked = false,
): Promise<SanitizerPolicy> {
  const lock = locked ? ({ mode: 'pessimistic_write' } as const) : undefined;
  const row = isId('pol', where.id) && (await tx.findOne(SanitizerPolicy, { where, lock }));
  if (!row) throw new NotFound('The sanitizer policy does not exist.');
  return row;
}

function ownerOf(caller: Caller, tenantId: string | null | undefined): string | null {
  const owner = tenantId ?? tenantScope(caller, 'admin:write').tenantId ?? null;
  if (owner !== null) requireTenantAdmin(caller, owner, 'admin:write');
  return owner;
}

/** Finds the policies of an owner. Requests that add one or change its rules wait until this transaction ends. */
async function findOwned(tx: EntityManager, tenantId: string | null): Promise<SanitizerPolicy[]> {
  await lockInTransaction(tx, `sanitizer policies of ${tenantId}`);
  return tx.findBy(SanitizerPolicy, { tenantId: tenantId ?? IsNull() });
}
