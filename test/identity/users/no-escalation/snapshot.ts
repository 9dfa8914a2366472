import type { Privilege } from '../../../../src/access/caller.js';
import type { Platform } from '../../../support/servers/platform.js';

/** A user as the database has it: who it is, what it may do, and how it signs in. */
export interface UserState {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
  readonly username: string;
  readonly status: string;
  readonly privileges: readonly Privilege[];
  readonly providerId: string | null;
  readonly externalId: string | null;
  readonly passwordHash: string | null;
}

/** An identity provider as the database has it, without its secrets. */
export interface ProviderState {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly tid: string | null;
  readonly approved: boolean;
  readonly enabled: boolean;
  readonly settings: { readonly group_map?: readonly { readonly privilege: string }[] };
}

/** What a tenant is on, and whom it lets in. */
export interface TenantState {
  readonly id: string;
  readonly plan: string;
  readonly allowedPlans: readonly string[];
  readonly registrationOpen: boolean | null;
  readonly domains: readonly string[];
}

/** All that administrators can change in some tenants, by id. */
export interface Snapshot {
  readonly users: ReadonlyMap<string, UserState>;
  readonly providers: ReadonlyMap<string, ProviderState>;
  readonly tenants: ReadonlyMap<string, TenantState>;
}

const READ = `
  SELECT
    (SELECT json_agg(json_build_object(
       'id', id, 'tenantId', tenant_id, 'email', email, 'username', username, 'status', status,
       'privileges', privileges, 'providerId', identity_provider_id, 'externalId', external_id,
       'passwordHash', password_hash) ORDER BY id)
     FROM users WHERE tenant_id = ANY ($1)) AS users,
    (SELECT json_agg(json_build_object(
       'id', id, 'tenantId', tenant_id, 'kind', kind, 'tid', tid, 'approved', approved, 'enabled', enabled,
       'settings', settings) ORDER BY id)
     FROM identity_providers WHERE tenant_id = ANY ($1)) AS providers,
    (SELECT json_agg(json_build_object(
       'id', id, 'plan', plan, 'allowedPlans', allowed_plans, 'registrationOpen', registration_open,
       'domains', ARRAY(SELECT domain FROM tenant_domains d WHERE d.tenant_id = t.id ORDER BY 1)) ORDER BY id)
     FROM tenants t WHERE id = ANY ($1)) AS tenants`;

interface Row {
  readonly users: UserState[] | null;
  readonly providers: ProviderState[] | null;
  readonly tenants: TenantState[] | null;
}

/** Reads what some tenants have now. */
export async function takeSnapshot(platform: Platform, tenantIds: readonly string[]): Promise<Snapshot> {
  const [row] = (await platform.query<Row>(READ, [tenantIds])) as [Row];
  return { users: byId(row.users), providers: byId(row.providers), tenants: byId(row.tenants) };
}

/** What is in one of two states alone, or differs: before and after. */
export function changesOf<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): (readonly [T | undefined, T | undefined])[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  const pairs = [...ids].map((id) => [before.get(id), after.get(id)] as const);
  return pairs.filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other));
}

/** Whether nothing differs. */
export function isSame(before: Snapshot, after: Snapshot): boolean {
  return (['users', 'providers', 'tenants'] as const).every(
    (part) => changesOf<unknown>(before[part], after[part]).length === 0,
  );
}

function byId<T extends { readonly id: string }>(rows: readonly T[] | null): Map<string, T> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}
