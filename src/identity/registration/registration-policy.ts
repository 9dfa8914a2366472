import type { DataSource } from 'typeorm';
import type { ProviderStore } from '../providers/provider-store.js';
import { domainOf } from '../users/email-domain.js';

/** Why somebody may not register themselves: the address is a directory's, nobody lists its domain, or it is closed. */
export type RegistrationRefusal = 'directory' | 'domain_not_allowed' | 'closed';

/** The tenant that somebody would join, or why not. */
export type RegistrationPlace = { readonly tenantId: string } | { readonly refusal: RegistrationRefusal };

/** The tenant that lists a domain, else the default one. */
const PLACE = `
  SELECT t.id AS "tenantId", t.registration_open AS "isOpen", d.domain IS NOT NULL AS "isListed",
         EXISTS (SELECT FROM tenant_domains) AS "hasLists"
  FROM tenants t LEFT JOIN tenant_domains d ON d.tenant_id = t.id AND d.domain = $1
  WHERE t.deleted_at IS NULL AND (d.domain IS NOT NULL OR t.is_default)
  ORDER BY d.domain IS NULL LIMIT 1`;

interface Place {
  readonly tenantId: string;
  readonly isOpen: boolean | null;
  readonly isListed: boolean;
  readonly hasLists: boolean;
}

/** Who may register themselves, and which tenant they join (docs/api.md, Registration). */
export class RegistrationPolicy {
  /** @param isOpenByDefault whether those whom no tenant lists may join the default tenant, where nobody has said */
  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: Pick<ProviderStore, 'findActiveByDomain'>,
    private readonly isOpenByDefault: boolean,
  ) {}

  /** @param email as `normalizeEmail` gives it */
  async placeOf(email: string): Promise<RegistrationPlace> {
    const domain = domainOf(email);
    if (await this.providers.findActiveByDomain(domain)) return { refusal: 'directory' };
    const [place] = await this.dataSource.query<Place[]>(PLACE, [domain]);
    if (!place) return { refusal: 'closed' };
    const { tenantId, isOpen, isListed, hasLists } = place;
    if (isOpen ?? (isListed || this.isOpenByDefault)) return { tenantId };
    return { refusal: !isListed && hasLists ? 'domain_not_allowed' : 'closed' };
  }
}
