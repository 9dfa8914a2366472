import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { CallOwner, Caller } from '../../access/caller.js';
import { rethrowUnknownTenant } from '../../access/tenancy.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { isId, newId } from '../../platform/ids.js';
import { CredibilityConfig } from './credibility-config.entity.js';
import type { CredibilityConfigInput, CredibilityConfigPatch } from './credibility-config.inputs.js';
import { CredibilityScores } from './credibility-scores.js';
import { checkSettings } from './credibility-settings.js';
import type { CredibilitySettings } from './credibility-settings.js';

/** Of one tenant. */
const MAX_CONFIGS = 100;
const DEFAULTS = { rules: [], defaultScore: 0.5, minScore: 0 };

type Tenanted = Pick<CallOwner, 'tenantId'>;

/**
 * How administrators weigh sources for their tenant. A tenant with any configuration has exactly one default, so
 * creating, deleting and choosing run one at a time for each tenant.
 */
export class CredibilityService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: Pick<AuditRecorder, 'record'>,
  ) {}

  /** A page of those of the caller's tenant. */
  list({ tenantId }: Caller, page: PageArgs): Promise<Connection<CredibilityConfig>> {
    const rows = this.dataSource.getRepository(CredibilityConfig);
    return readTablePage<CredibilityConfig, CredibilityConfig>(page, rows, { tenantId }, (row) => row);
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<CredibilityConfig> {
    return find(this.dataSource.manager, caller, id);
  }

  /**
   * The scores of a configuration.
   * @param id left out: the default of the tenant
   * @returns undefined where the tenant has none
   * @throws NotFound where there is none with this id, also for those of others
   */
  async scoresOf(owner: Tenanted, id?: string | null): Promise<CredibilityScores | undefined> {
    const { manager } = this.dataSource;
    const config =
      id === undefined || id === null
        ? await manager.findOneBy(CredibilityConfig, { tenantId: owner.tenantId, isDefault: true })
        : await find(manager, owner, id);
    return config ? new CredibilityScores(config) : undefined;
  }

  /** Makes a configuration; the first one is the default. @throws BadRequest that names the field, Conflict where there are too many */
  async create(caller: Caller, input: CredibilityConfigInput): Promise<CredibilityConfig> {
    const settings = { ...DEFAULTS, ...checkSettings(input) };
    const { tenantId } = caller;
    const id = newId('cred');
    const now = new Date();
    await this.change(caller, 'credibility_config.create', id, async (tx) => {
      const count = await tx.countBy(CredibilityConfig, { tenantId });
      if (count >= MAX_CONFIGS) {
        throw new Conflict('conflict', `A tenant may have ${MAX_CONFIGS} configurations of credibility at most.`);
      }
      const isDefault = settings.isDefault === true || count === 0;
      if (isDefault) await removeDefault(tx, tenantId);
      const row = { id, tenantId, name: input.name.trim(), ...settings, isDefault, createdAt: now, updatedAt: now };
      await tx.insert(CredibilityConfig, row);
    });
    return this.get(caller, id);
  }

  /**
   * Changes what the patch names.
   * @throws BadRequest that names the field; NotFound also for those of others; Conflict where the default is to be none
   */
  async update(caller: Caller, id: string, patch: CredibilityConfigPatch): Promise<CredibilityConfig> {
    const settings = checkSettings(patch);
    await this.change(caller, 'credibility_config.update', id, (tx) => updateConfig(tx, caller, id, settings));
    return this.get(caller, id);
  }

  /** Makes a configuration the default in place of the one that is. @throws NotFound also for those of others */
  async makeDefault(caller: Caller, id: string): Promise<CredibilityConfig> {
    await this.change(caller, 'credibility_config.set_default', id, (tx) =>
      updateConfig(tx, caller, id, { isDefault: true }),
    );
    return this.get(caller, id);
  }

  /** @throws NotFound also for those of others; Conflict for the default while there are others */
  async delete(caller: Caller, id: string): Promise<void> {
    const { tenantId } = caller;
    await this.change(caller, 'credibility_config.delete', id, async (tx) => {
      const { isDefault } = await find(tx, caller, id);
      if (isDefault && (await tx.countBy(CredibilityConfig, { tenantId })) > 1) {
        throw new Conflict('conflict', 'This is the default: make another configuration the default first.');
      }
      await tx.delete(CredibilityConfig, { id });
    });
  }

  /** Changes something, alone in the tenant, and records it. */
  private async change(
    caller: Caller,
    action: `credibility_config.${string}`,
    id: string,
    work: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    const { tenantId } = caller;
    const event = { tenantId, action, target: { type: 'credibility_config', id } } as const;
    await this.dataSource
      .transaction(async (tx) => {
        await lockInTransaction(tx, `credibility configurations of ${tenantId}`);
        await work(tx);
        await this.audit.record(tx, actorOf(caller), event);
      })
      .catch(rethrowUnknownTenant);
  }
}

async function find(tx: EntityManager, { tenantId }: Tenanted, id: string): Promise<CredibilityConfig> {
  const config = isId('cred', id) && (await tx.findOneBy(CredibilityConfig, { id, tenantId }));
  if (!config) throw new NotFound('The configuration of credibility does not exist.');
  return config;
}

async function updateConfig(
  tx: EntityManager,
  caller: Caller,
  id: string,
  settings: CredibilitySettings,
): Promise<void> {
  const config = await find(tx, caller, id);
  if (config.isDefault && settings.isDefault === false) {
    throw new Conflict('conflict', 'This is the default: make another configuration the default.', 'isDefault');
  }
  if (settings.isDefault === true && !config.isDefault) await removeDefault(tx, config.tenantId);
  await tx.update(CredibilityConfig, { id }, { ...settings, updatedAt: new Date() });
}

/** Before another one becomes the default: the database allows one at a time. */
async function removeDefault(tx: EntityManager, tenantId: string): Promise<void> {
  await tx.update(CredibilityConfig, { tenantId, isDefault: true }, { isDefault: false });
}
