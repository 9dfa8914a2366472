import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest } from '../../errors.js';
import { requireTenantAdmin, rethrowUnknownTenant, unknownTenant } from '../../access/tenancy.js';
import type { TenantDirectory } from '../../identity/domain.js';
import { PolledTable } from '../../platform/cluster/polled-table.js';
import { fitsGlob } from './glob.js';
import type { ModelPolicy } from './model-policy.entity.js';

const MAX_PATTERNS = 100;
const MAX_PATTERN_CHARACTERS = 256;

const COLUMNS = 'tenant_id AS "tenantId", allow, deny, updated_at AS "updatedAt"';
const READ = `
  SELECT ${COLUMNS} FROM model_policies
  WHERE $1::float8 IS NULL OR updated_at > now() - make_interval(secs => $1)`;
const SET = `
  INSERT INTO model_policies (tenant_id, allow, deny, updated_at) VALUES ($1, $2, $3, now())
  ON CONFLICT (tenant_id) DO UPDATE
  SET allow = EXCLUDED.allow, deny = EXCLUDED.deny,
      -- Of two writes the one that is committed later is younger, also to the millisecond that replicas compare.
      updated_at = greatest(EXCLUDED.updated_at, model_policies.updated_at + interval '1 millisecond')
  RETURNING ${COLUMNS}`;

type Policy = Omit<ModelPolicy, 'tenant'>;

/** Which models each tenant may use. All policies are kept in memory, so that asking costs nothing. */
export class ModelPoliciesService {
  private readonly policies = new PolledTable<Policy>({
    keyOf: ({ tenantId }) => tenantId,
    read: async (changedWithinSeconds) => ({ rows: await this.dataSource.query(READ, [changedWithinSeconds]) }),
    supersedes: (policy, known) => Number(policy.updatedAt) >= Number(known.updatedAt),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly tenants: Pick<TenantDirectory, 'exists'>,
    private readonly audit: AuditRecorder,
  ) {}

  /** Reads all policies, and from the second time on what other replicas have written since. */
  refresh(): Promise<void> {
    return this.policies.refresh();
  }

  /** Whether a tenant may use a model: it is not denied, and allowed where only some are. */
  allows(tenantId: string, model: string): boolean {
    const policy = this.policies.get(tenantId);
    if (!policy) return true;
    const fits = (pattern: string): boolean => fitsGlob(pattern, model);
    return !policy.deny.some(fits) && (policy.allow.length === 0 || policy.allow.some(fits));
  }

  /**
   * The policy of a tenant that the caller administers; one that allows everything where none was set.
   * @throws Forbidden; NotFound also for the tenants of others
   */
  async get(caller: Caller, tenantId: string): Promise<Policy> {
    requireTenantAdmin(caller, tenantId);
    const sql = `SELECT ${COLUMNS} FROM model_policies WHERE tenant_id = $1`;
    const [row] = await this.dataSource.query<Policy[]>(sql, [tenantId]);
    if (row) return row;
    if (!(await this.tenants.exists(tenantId))) throw unknownTenant();
    return { tenantId, allow: [], deny: [], updatedAt: null };
  }

  /**
   * Sets the policy of a tenant that the caller administers, for this process at once and for the others within 2 s.
   * @throws as `get` does; BadRequest that names the list
   */
  async set(caller: Caller, tenantId: string, lists: Pick<Policy, 'allow' | 'deny'>): Promise<Policy> {
    requireTenantAdmin(caller, tenantId, 'admin:write');
    const allow = checkedPatterns('allow', lists.allow);
    const deny = checkedPatterns('deny', lists.deny);
    const write = this.dataSource.transaction(async (tx) => {
      const [written] = await tx.query<[Policy]>(SET, [tenantId, allow, deny]);
      const target = { type: 'tenant', id: tenantId };
      await this.audit.record(tx, actorOf(caller), { tenantId, action: 'model_policy.update', target });
      return written;
    });
    const row = await write.catch(rethrowUnknownTenant);
    this.policies.put(row);
    return row;
  }
}

function checkedPatterns(field: string, patterns: readonly string[]): string[] {
  if (patterns.length > MAX_PATTERNS)
    throw new BadRequest(`${field} may have ${MAX_PATTERNS} patterns at most.`, field);
  for (const pattern of patterns) {
    if (pattern.length < 1 || pattern.length > MAX_PATTERN_CHARACTERS || /\p{Cc}|\p{Cs}/u.test(pattern)) {
      throw new BadRequest(
        `${field} must have patterns of 1 to ${MAX_PATTERN_CHARACTERS} characters, none of them control characters.`,
        field,
      );
    }
  }
  return [...new Set(patterns)];
}
