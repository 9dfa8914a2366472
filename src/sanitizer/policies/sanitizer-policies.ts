import type { Logger } from 'pino';
import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import { Unavailable } from '../../errors.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import { PolledTable } from '../../platform/cluster/polled-table.js';
import { byPrecedence, compilePolicies } from './effective-policies.js';
import type { EffectivePolicy } from './effective-policies.js';
import { SanitizerPolicy } from './sanitizer-policy.entity.js';

/** Enabled policies that hold together, compiled when they are first needed. */
interface PolicySet {
  /** In their order. */
  readonly policies: readonly SanitizerPolicy[];
  /** Null: they cannot be compiled. */
  compiled?: EffectivePolicy | null;
}

/** The sets of policies by whose calls they are for. */
interface PolicySets {
  /** Of tenants that have policies of their own: those, and the ones for everybody. */
  readonly own: ReadonlyMap<string, PolicySet>;
  /** Of all other tenants; undefined where there is no policy for everybody. */
  readonly shared: PolicySet | undefined;
}

/** Which policies are in force. All of them are kept in memory, so that asking costs nothing. */
export class SanitizerPolicies {
  private readonly rows = new PolledTable<SanitizerPolicy>({
    keyOf: ({ id }) => id,
    read: (_changedWithinSeconds, known) => this.read(known),
    supersedes: (row, known) => row.revision !== known.revision,
  });
  /** Undefined: the table was never read. */
  private sets: PolicySets | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Logger,
  ) {}

  /** The number of policies that are in force. */
  get gauge(): Gauge {
    const read = () => [{ value: [...this.rows.rows.values()].filter(({ enabled }) => enabled).length }];
    return { name: 'platform_sanitizer_policies', help: 'Sanitizer policies that are enabled.', labels: [], read };
  }

  /** Reads what has changed, here or on another replica. */
  async refresh(): Promise<void> {
    await this.rows.refresh();
    this.sets = toSets([...this.rows.rows.values()], this.sets);
  }

  /**
   * What holds for the calls of a tenant; undefined where no policy does.
   * @throws Unavailable where that is not known, or cannot be compiled: then nothing may pass
   */
  effectiveFor(tenantId: string): EffectivePolicy | undefined {
    if (!this.sets) throw new Unavailable('The sanitizer policies have not been read yet.');
    const set = this.sets.own.get(tenantId) ?? this.sets.shared;
    if (!set) return undefined;
    if (set.compiled === undefined) set.compiled = this.compile(set.policies);
    if (set.compiled === null) throw new Unavailable('The sanitizer policies cannot be applied.');
    return set.compiled;
  }

  private compile(policies: readonly SanitizerPolicy[]): EffectivePolicy | null {
    try {
      return compilePolicies(policies);
    } catch {
      // The failure quotes what is looked for, which may be private.
      const broken = policies.filter((policy) => !canCompile(policy)).map(({ id }) => id);
      this.log.error({ policies: broken }, 'sanitizer policies cannot be compiled; the calls they are for are refused');
      return null;
    }
  }

  /** All ids and revisions, so that it is seen what is gone, and the whole of what has changed. */
  private async read(known: ReadonlyMap<string, SanitizerPolicy>) {
    const policies = this.dataSource.getRepository(SanitizerPolicy);
    const stored = await policies.find({ select: { id: true, revision: true } });
    const changed = stored.filter(({ id, revision }) => known.get(id)?.revision !== revision).map(({ id }) => id);
    const rows = changed.length === 0 ? [] : await policies.find({ where: { id: In(changed) } });
    return { rows, keys: new Set(stored.map(({ id }) => id)) };
  }
}

function canCompile(policy: SanitizerPolicy): boolean {
  try {
    compilePolicies([policy]);
    return true;
  } catch {
    return false;
  }
}

/** @param before sets that were made earlier: one that is the same is kept with what was compiled of it */
function toSets(policies: readonly SanitizerPolicy[], before: PolicySets | undefined): PolicySets {
  const enabled = policies.filter((policy) => policy.enabled);
  const byOwner = Map.groupBy(enabled, ({ tenantId }) => tenantId);
  const shared = byOwner.get(null) ?? [];
  byOwner.delete(null);
  const own = [...byOwner].map(([tenantId, theirs]): [string, PolicySet] => {
    const id = tenantId as string;
    return [id, toSet([...shared, ...theirs], before?.own.get(id))];
  });
  return { own: new Map(own), shared: shared.length === 0 ? undefined : toSet(shared, before?.shared) };
}

function toSet(unsorted: readonly SanitizerPolicy[], before: PolicySet | undefined): PolicySet {
  const policies = unsorted.toSorted(byPrecedence);
  const isSame =
    before?.policies.length === policies.length && policies.every((policy, at) => policy === before.policies[at]);
  return isSame ? before : { policies };
}
