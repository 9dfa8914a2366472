import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditEvent } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { hasPrivilege } from '../../access/access-rule.js';
import type { Caller } from '../../access/caller.js';
import { requireTenantAdmin, rethrowUnknownTenant, tenantScope } from '../../access/tenancy.js';
import { BadRequest, Conflict, NotFound } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { isId, newId } from '../../platform/ids.js';
import { mergeSettings } from '../../platform/json/merge-settings.js';
import type { AccountChange, Accounts } from '../users/accounts.js';
import { keepSysadmin } from '../users/last-sysadmin.js';
import { User } from '../users/user.entity.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { toIdentityProviderView } from './identity-provider.types.js';
import type {
  IdentityProviderInput,
  IdentityProviderStatus,
  IdentityProviderTest,
  IdentityProviderView,
} from './identity-provider.types.js';
import { claimedTid, takenClaim, writeClaims } from './provider-claims.js';
import { checkProviderSettings } from './provider-settings.js';
import type { ProviderKind, ProviderSettings } from './provider-settings.js';
import type { OpenedProvider, ProviderStore } from './provider-store.js';

/** Of one tenant. */
const MAX_PROVIDERS = 50;
/** What a tenant's administrators may change without another look of a sysadmin. */
const HARMLESS = new Set(['name']);
/** Settings of a directory that change nothing of what it is asked. */
const UNASKED = new Set(['name', 'domains', 'group_map', 'nested_groups', 'timeout_seconds']);
/** Settings that null takes away; all others may be left out, but not be null. */
const REMOVABLE = new Set([
  'ca',
  'issuer',
  'bind_dn',
  'bind_password',
  'group_base_dn',
  'audience',
  'jwks_uri',
  'client_id',
  'client_secret',
  'proxy_secret',
]);

interface IdentityProvidersParts {
  readonly dataSource: DataSource;
  readonly store: ProviderStore;
  readonly accounts: Accounts;
  /** Tries a provider as a sign-in would; it never throws. */
  readonly test: (provider: OpenedProvider) => Promise<IdentityProviderTest>;
  readonly audit: AuditRecorder;
}

/** Identity providers, for administrators: those of a tenant's admin wait until a sysadmin has looked at them. */
export class IdentityProvidersService {
  constructor(private readonly parts: IdentityProvidersParts) {}

  /** A page of those of the tenants that the caller administers. */
  async list(caller: Caller, page: PageArgs): Promise<Connection<IdentityProviderView>> {
    const rows = this.parts.dataSource.getRepository(IdentityProvider);
    return readTablePage(page, rows, tenantScope(caller), (row) => this.shown(row));
  }

  /** @throws NotFound also for those of others */
  async get(caller: Caller, id: string): Promise<IdentityProviderView> {
    return this.shown(await this.find(this.parts.dataSource.manager, { ...tenantScope(caller), id }));
  }

  /**
   * Sets a provider up. That of a sysadmin is active at once.
   * @param tenantId whose people it knows; left out: the caller's tenant
   * @throws BadRequest that names the field; NotFound for another's tenant; Conflict where somebody else has a domain or
   * the `tid`, or the last sysadmin could not sign in any more
   */
  async create(
    caller: Caller,
    kind: ProviderKind,
    input: IdentityProviderInput,
    tenantId: string | null | undefined,
  ): Promise<IdentityProviderView> {
    const owner = tenantId ?? caller.tenantId;
    requireTenantAdmin(caller, owner, 'admin:write');
    const settings = checkProviderSettings({ ...mergeSettings({}, input, REMOVABLE), kind });
    const id = newId('dir');
    const now = new Date();
    const approved = hasPrivilege(caller, 'sysadmin');
    const state = { enabled: true, revision: 1, createdAt: now, updatedAt: now };
    await this.write(async ({ tx }) => {
      if ((await tx.countBy(IdentityProvider, { tenantId: owner })) >= MAX_PROVIDERS) {
        throw new Conflict('conflict', `A tenant may have ${MAX_PROVIDERS} identity providers at most.`);
      }
      const claimant = { id, tenantId: owner, approved };
      await tx.insert(IdentityProvider, { ...claimant, ...this.columns(claimant, settings), ...state });
      await writeClaims(tx, claimant, settings);
      await this.record(tx, caller, 'identity_provider.create', claimant);
    });
    return this.shown(await this.find(this.parts.dataSource.manager, { id }));
  }

  /**
   * Changes what the patch names. Where a tenant's administrator changes more than the name, the provider waits for a
   * sysadmin again, and the sessions of its people end, as they do where it is disabled.
   * @throws as `create` does
   */
  async update(
    caller: Caller,
    id: string,
    patch: IdentityProviderInput,
    status?: IdentityProviderStatus | null,
  ): Promise<IdentityProviderView> {
    if (status === null || status === 'pending') throw new BadRequest('status must be active or disabled.', 'status');
    const where = { ...tenantScope(caller, 'admin:write'), id };
    await this.write(async (change) => {
      const { tx } = change;
      const row = await this.find(tx, where, true);
      const before = this.parts.store.open(row);
      requireSecretsOfNewServer(before.settings, patch, hasPrivilege(caller, 'sysadmin'));
      const settings = checkProviderSettings(mergeSettings(before.settings, patch, REMOVABLE));
      const isHarmless = Object.keys(mergeSettings({}, patch, REMOVABLE)).every((name) => HARMLESS.has(name));
      // What a sysadmin has disabled, a tenant's administrator does not enable again.
      const approved = hasPrivilege(caller, 'sysadmin')
        ? status === 'active' || (row.approved && status !== 'disabled')
        : row.approved && isHarmless;
      const enabled = status ? status === 'active' : row.enabled;
      const claimant = { id, tenantId: row.tenantId, approved };
      const state = { approved, enabled, revision: row.revision + 1, updatedAt: new Date() };
      await tx.update(IdentityProvider, { id }, { ...this.columns(claimant, settings), ...state });
      await writeClaims(tx, claimant, settings);
      if (before.isActive && !(approved && enabled)) await endSessionsOfPeople(change, id);
      await this.record(tx, caller, 'identity_provider.update', row, toReason({ approved, enabled }));
    });
    return this.shown(await this.find(this.parts.dataSource.manager, where));
  }

  /**
   * Lets people sign in by a provider that a tenant's administrator has set up or changed.
   * @param revision the one that was looked at; undefined: whatever it is
   * @throws NotFound; Conflict where it has been changed since, or somebody else has a domain or the `tid`
   */
  async approve(caller: Caller, id: string, revision?: number | null): Promise<IdentityProviderView> {
    await this.write(async ({ tx }) => {
      const row = await this.find(tx, { id }, true);
      if (revision != null && revision !== row.revision) {
        throw new Conflict('conflict', 'The identity provider has been changed meanwhile. Please look at it again.');
      }
      const { settings } = this.parts.store.open(row);
      const claimant = { id, tenantId: row.tenantId, approved: true };
      const state = { approved: true, tid: claimedTid(claimant, settings), revision: row.revision + 1 };
      await tx.update(IdentityProvider, { id }, { ...state, updatedAt: new Date() });
      await writeClaims(tx, claimant, settings);
      await this.record(tx, caller, 'identity_provider.approve', row);
    });
    return this.shown(await this.find(this.parts.dataSource.manager, { id }));
  }

  /**
   * Tries a provider as a sign-in would.
   * @throws NotFound also for those of others
   */
  async test(caller: Caller, id: string): Promise<IdentityProviderTest> {
    const row = await this.find(this.parts.dataSource.manager, { ...tenantScope(caller, 'admin:write'), id });
    const result = await this.parts.test(this.parts.store.open(row));
    const event = {
      ...toEvent(row, 'identity_provider.test'),
      outcome: result.success ? 'success' : 'failure',
    } as const;
    await this.parts.audit.recordAlone(actorOf(caller), event);
    return result;
  }

  /**
   * Forgets a provider that has no people.
   * @throws NotFound also for those of others; Conflict where it has people
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.write(async ({ tx }) => {
      const row = await this.find(tx, { ...tenantScope(caller, 'admin:write'), id }, true);
      if (await tx.existsBy(User, { identityProviderId: id })) {
        const message =
          'Users sign in by this identity provider. Disable it, or give them another way to sign in first.';
        throw new Conflict('conflict', message);
      }
      await tx.delete(IdentityProvider, { id });
      await this.record(tx, caller, 'identity_provider.delete', row);
    });
  }

  private record(
    tx: EntityManager,
    caller: Caller,
    action: `identity_provider.${string}`,
    row: Pick<IdentityProvider, 'id' | 'tenantId'>,
    reason?: string,
  ): Promise<void> {
    return this.parts.audit.record(tx, actorOf(caller), { ...toEvent(row, action), reason });
  }

  private async write(work: (change: AccountChange) => Promise<void>): Promise<void> {
    try {
      // The directory of a domain decides alone who signs in there.
      await this.parts.accounts.change((change) => keepSysadmin(change.tx, () => work(change)));
    } catch (error) {
      if (isUniqueViolation(error)) throw takenClaim();
      rethrowUnknownTenant(error);
    }
  }

  private async find(
    tx: EntityManager,
    where: { readonly tenantId?: string; readonly id: string },
    locked = false,
  ): Promise<IdentityProvider> {
    const lock = locked ? ({ mode: 'pessimistic_write' } as const) : undefined;
    const row = isId('dir', where.id) && (await tx.findOne(IdentityProvider, { where, lock }));
    if (!row) throw new NotFound('The identity provider does not exist.');
    return row;
  }

  private columns(claimant: Pick<IdentityProvider, 'id' | 'approved'>, settings: ProviderSettings) {
    const { kind, name } = settings;
    return { kind, name, tid: claimedTid(claimant, settings), ...this.parts.store.seal(claimant.id, settings) };
  }

  private shown(row: IdentityProvider): IdentityProviderView {
    return toIdentityProviderView(row, this.parts.store.open(row));
  }
}

function toEvent(
  { id, tenantId }: Pick<IdentityProvider, 'id' | 'tenantId'>,
  action: `identity_provider.${string}`,
): Omit<AuditEvent, 'outcome' | 'reason'> {
  return { tenantId, action, target: { type: 'identity_provider', id } };
}

async function endSessionsOfPeople({ tx, endSessions }: AccountChange, identityProviderId: string): Promise<void> {
  const people = await tx.find(User, { select: { id: true }, where: { identityProviderId } });
  await endSessions(people.map(({ id }) => id));
}

/**
 * Secrets go to the server alone for which they were given: whoever changes the address need not know them. And whoever
 * may not know what a directory tells must not ask it otherwise with somebody else's password.
 * @throws BadRequest that names the secret
 */
function requireSecretsOfNewServer(before: ProviderSettings, patch: IdentityProviderInput, isSysadmin: boolean): void {
  if (before.kind === 'ldap') {
    const names = Object.keys(mergeSettings({}, patch, REMOVABLE));
    const isOtherQuestion = !isSysadmin && names.some((name) => !UNASKED.has(name));
    if (!isElsewhere(before.url, patch.url) && !isOtherQuestion) return;
    if (!before.bind_password || patch.bindPassword !== undefined) return;
    throw new BadRequest(
      'bind_password: it is for what was set up before; give the password for this',
      'bind_password',
    );
  }
  if (!isElsewhere(before.issuer, patch.issuer) || !before.client_secret || patch.clientSecret !== undefined) return;
  throw new BadRequest('client_secret: issuer is another one; give the secret for it, or null', 'client_secret');
}

function isElsewhere(before: string | undefined, given: string | null | undefined): boolean {
  if (typeof given !== 'string' || !URL.canParse(given)) return false;
  if (before === undefined) return true;
  const [one, other] = [new URL(before), new URL(given)];
  return one.protocol !== other.protocol || one.host !== other.host;
}

function toReason({ approved, enabled }: { readonly approved: boolean; readonly enabled: boolean }): string {
  return enabled ? (approved ? 'it is active' : 'it waits for a sysadmin') : 'it is disabled';
}
