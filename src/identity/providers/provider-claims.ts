import { In, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors.js';
import { TenantDomain } from '../tenants/tenant-domain.entity.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { ProviderDomain } from './provider-domain.entity.js';
import type { ProviderSettings } from './provider-settings.js';

/** People who have not confirmed their address may be anybody. */
const PEOPLE_OF_OTHERS = `
  SELECT FROM users
  WHERE split_part(email, '@', 2) = ANY ($1) AND tenant_id <> $2 AND status <> 'deleted' AND confirmed LIMIT 1`;

/** A provider whose settings are written. */
type Claimant = Pick<IdentityProvider, 'id' | 'tenantId' | 'approved'>;

/** The `tid` that a provider has in the whole installation: none before a sysadmin has approved it. */
export function claimedTid({ approved }: Pick<Claimant, 'approved'>, settings: ProviderSettings): string | null {
  return approved && settings.kind === 'sso' ? settings.tid : null;
}

/**
 * Gives a provider its domains, in place of those before; one that is not approved gets none, so that nobody keeps what
 * belongs to others by asking for it.
 * @throws Conflict where somebody else has a domain or the `tid`
 */
export async function writeClaims(tx: EntityManager, claimant: Claimant, settings: ProviderSettings): Promise<void> {
  const { id: providerId, tenantId, approved } = claimant;
  const { domains } = settings;
  const domain = In(domains);
  const taken = [
    settings.kind === 'sso' && (await tx.existsBy(IdentityProvider, { tid: settings.tid, id: Not(providerId) })),
    await tx.existsBy(ProviderDomain, { domain, providerId: Not(providerId) }),
    await tx.existsBy(TenantDomain, { domain, tenantId: Not(tenantId) }),
    (await tx.query<object[]>(PEOPLE_OF_OTHERS, [domains, tenantId])).length > 0,
  ];
  if (taken.includes(true)) throw takenClaim();
  await tx.delete(ProviderDomain, { providerId });
  if (!approved || domains.length === 0) return;
  await tx.insert(
    ProviderDomain,
    domains.map((name) => ({ domain: name, providerId })),
  );
}

/** What is said of all that belongs to somebody else. */
export function takenClaim(): Conflict {
  const message = 'One of the domains, or the tid, is taken. Each belongs to one identity provider and one tenant.';
  return new Conflict('conflict', message);
}
