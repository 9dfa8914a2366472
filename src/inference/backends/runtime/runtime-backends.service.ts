import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../../access/audit-actor.js';
import type { AuditRecorder } from '../../../platform/audit/audit-recorder.js';
import { hasPrivilege } from '../../../access/access-rule.js';
import type { Caller } from '../../../access/caller.js';
import { BadRequest, Conflict, Forbidden, NotFound } from '../../../errors.js';
import { requireTenantAdmin, rethrowUnknownTenant, tenantScope } from '../../../access/tenancy.js';
import type { Connection, PageArgs } from '../../../graph/connection.js';
import { readTablePage } from '../../../graph/table-page.js';
import { portOf } from '../../../platform/net/egress-rule.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import { countOwned } from '../../../platform/database/count-owned.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import { mergeSettings } from '../../../platform/json/merge-settings.js';
import { isId, newId } from '../../../platform/ids.js';
import type { BackendRegistry } from '../backend-registry.js';
import { checkRuntimeSettings } from '../backend-settings.js';
import type { RuntimeSettings } from '../backend-settings.js';
import { toRuntimeBackend } from './runtime-backend.types.js';
import type { BackendSettingsInput, RuntimeBackend } from './runtime-backend.types.js';
import { StoredBackend } from './stored-backend.entity.js';
import type { OpenSettings } from './stored-backend.entity.js';
import type { StoredBackends } from './stored-backends.js';

/** Backends of one tenant, and those of all together. */
const MAX_BACKENDS = 100;
/** Settings that null takes away; all others may be left out, but not be null. */
const REMOVABLE = new Set(['api_key', 'models', 'max_concurrency', 'health_path']);

interface RuntimeBackendsParts {
  readonly dataSource: DataSource;
  readonly stored: StoredBackends;
  readonly registry: BackendRegistry;
  /** Where the backends of tenants may be. */
  readonly tenantRule: EgressRule;
  readonly audit: AuditRecorder;
}

/** Backends that administrators add while the server runs: sysadmins for everybody, admins for their tenant alone. */
export class RuntimeBackendsService {
  constructor(private readonly parts: RuntimeBackendsParts) {}

  /** A page of those that the caller administers. */
  async list(caller: Caller, page: PageArgs): Promise<Connection<RuntimeBackend>> {
    const rows = this.parts.dataSource.getRepository(StoredBackend);
    return readTablePage(page, rows, tenantScope(caller), (row) => this.shown(row));
  }

  /** @throws NotFound also for those of others */
  async get(caller: Caller, id: string): Promise<RuntimeBackend> {
    return this.shown(await this.find(this.parts.dataSource.manager, { ...tenantScope(caller), id }));
  }

  /**
   * Adds a backend; this process serves it at once, the others within 2 s.
   * @param tenantId whom it serves alone; left out: the caller's tenant, or everybody where a sysadmin adds it
   * @throws BadRequest that names the field, NotFound for another's tenant, Conflict `duplicate`, Forbidden where it takes
   * callers' own keys and the caller is no sysadmin
   */
  async create(caller: Caller, input: BackendSettingsInput, tenantId?: string | null): Promise<RuntimeBackend> {
    const owner = ownerOf(caller, tenantId);
    const { name, ...settings } = checkRuntimeSettings(mergeSettings({}, input, REMOVABLE));
    requireMayTakeKeys(caller, settings);
    const id = newId('bck');
    const now = new Date();
    const row = { ...this.columns(id, owner, name, settings), id, revision: 1, createdAt: now, updatedAt: now };
    await this.write(async (tx) => {
      if ((await countOwned(tx, StoredBackend, 'tenantId', owner)) >= MAX_BACKENDS) {
        throw new Conflict('conflict', `There may be ${MAX_BACKENDS} backends at most.`);
      }
      await tx.insert(StoredBackend, row);
      await this.record(tx, caller, 'backend.create', row);
    });
    return this.shown(await this.find(this.parts.dataSource.manager, { id }));
  }

  /**
   * Changes what the patch names.
   * @throws as `create` does
   */
  async update(caller: Caller, id: string, patch: BackendSettingsInput): Promise<RuntimeBackend> {
    const where = { ...tenantScope(caller, 'admin:write'), id };
    await this.write(async (tx) => {
      const row = await this.find(tx, where, true);
      const secrets = this.parts.stored.unseal(row);
      requireSecretsOfNewServer(row.settings.base_url, secrets, patch);
      const kind = row.settings.kind ?? 'openai';
      if (patch.kind !== undefined && patch.kind !== kind) throw new BadRequest('kind: cannot be changed', 'kind');
      const before = { ...row.settings, ...secrets, byok: row.takesKeys, kind, name: row.name };
      const { name, ...settings } = checkRuntimeSettings(mergeSettings(before, patch, REMOVABLE));
      requireMayTakeKeys(caller, settings);
      const changes = this.columns(id, row.tenantId, name, settings);
      await tx.update(StoredBackend, { id }, { ...changes, revision: row.revision + 1, updatedAt: new Date() });
      await this.record(tx, caller, 'backend.update', row);
    });
    return this.shown(await this.find(this.parts.dataSource.manager, where));
  }

  /**
   * Takes a backend away; calls that it answers go on.
   * @throws NotFound also for those of others
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.write(async (tx) => {
      const row = await this.find(tx, { ...tenantScope(caller, 'admin:write'), id }, true);
      await tx.delete(StoredBackend, { id });
      await this.record(tx, caller, 'backend.delete', row);
    });
  }

  private record(
    tx: EntityManager,
    caller: Caller,
    action: `backend.${string}`,
    { id, tenantId }: Pick<StoredBackend, 'id' | 'tenantId'>,
  ): Promise<void> {
    return this.parts.audit.record(tx, actorOf(caller), { tenantId, action, target: { type: 'backend', id } });
  }

  /** Commits a change and serves by it. */
  private async write(change: (tx: EntityManager) => Promise<void>): Promise<void> {
    try {
      await this.parts.dataSource.transaction(change);
    } catch (error) {
      if (isUniqueViolation(error)) throw duplicate();
      rethrowUnknownTenant(error);
    }
    await this.parts.stored.refresh();
  }

  private async find(
    tx: EntityManager,
    where: { readonly tenantId?: string; readonly id: string },
    locked = false,
  ): Promise<StoredBackend> {
    const lock = locked ? ({ mode: 'pessimistic_write' } as const) : undefined;
    const row = isId('bck', where.id) && (await tx.findOne(StoredBackend, { where, lock }));
    if (!row) throw new NotFound('The backend does not exist.');
    return row;
  }

  private columns(id: string, tenantId: string | null, name: string, settings: Omit<RuntimeSettings, 'name'>) {
    const { api_key: apiKey, headers, ...open } = settings;
    if (tenantId !== null) this.requireAllowed(new URL(open.base_url));
    const visible = tenantId === null ? this.parts.registry.all : this.parts.registry.visibleTo(tenantId);
    const shared = visible.filter((backend) => backend.tenantId === null);
    if (shared.some((backend) => backend.name === name && backend.id !== id)) throw duplicate();
    const secretsSealed = this.parts.stored.seal(id, { api_key: apiKey, headers });
    return { tenantId, name, settings: open as OpenSettings, takesKeys: open.byok, secretsSealed };
  }

  private requireAllowed(url: URL): void {
    const { tenantRule } = this.parts;
    if (!tenantRule.allowsPort(portOf(url))) {
      throw new BadRequest(`base_url: the operator does not allow the port ${portOf(url)}`, 'base_url');
    }
    if (!tenantRule.refusalOf(url)) return;
    throw new BadRequest('base_url: the address is not public, and the operator does not allow it', 'base_url');
  }

  private shown(row: StoredBackend): RuntimeBackend {
    return toRuntimeBackend(row, this.parts.stored.unseal(row));
  }
}

function ownerOf(caller: Caller, tenantId: string | null | undefined): string | null {
  const owner = tenantId ?? tenantScope(caller, 'admin:write').tenantId ?? null;
  if (owner !== null) requireTenantAdmin(caller, owner, 'admin:write');
  return owner;
}

/**
 * A caller's own key is the caller's secret, not the tenant's: where it goes is decided by those who run the server.
 * @throws Forbidden also for any other change of a backend that takes keys, since that may lead them elsewhere
 */
function requireMayTakeKeys(caller: Caller, { byok }: Pick<RuntimeSettings, 'byok'>): void {
  if (!byok || hasPrivilege(caller, 'sysadmin')) return;
  throw new Forbidden("byok: only a sysadmin may let a backend take callers' own keys, or change one that does.");
}

/**
 * Secrets go to the server alone for which they were given: whoever changes the address need not know them.
 * @throws BadRequest that names the secret
 */
function requireSecretsOfNewServer(
  baseUrl: string,
  { api_key: apiKey, headers }: Pick<RuntimeSettings, 'api_key' | 'headers'>,
  patch: BackendSettingsInput,
): void {
  const given = patch.baseUrl;
  if (typeof given !== 'string' || !URL.canParse(given) || new URL(given).origin === new URL(baseUrl).origin) return;
  if (apiKey !== undefined && patch.apiKey === undefined) {
    throw new BadRequest('api_key: base_url leads to another server; give the key for it, or null', 'api_key');
  }
  if (Object.keys(headers).length > 0 && patch.headers === undefined) {
    throw new BadRequest('headers: base_url leads to another server; give the headers for it, or {}', 'headers');
  }
}

function duplicate(): Conflict {
  return new Conflict('duplicate', 'There is a backend of this name.', 'name');
}
