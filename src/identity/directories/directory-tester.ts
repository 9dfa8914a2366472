import type { EgressRule } from '../../platform/net/egress-rule.js';
import type { IdentityProviderTest } from '../providers/identity-provider.types.js';
import type { LdapSettings } from '../providers/provider-settings.js';
import type { OpenedProvider } from '../providers/provider-store.js';
import { Directory } from './directory.js';
import { personAttributes, readPerson } from './directory-person.js';
import { groupsToSearch } from './groups/groups-to-search.js';
import { findMemberships } from './groups/memberships.js';
import { DirectoryFailure } from './ldap/directory-failure.js';
import { fillFilter } from './ldap/ldap-filter.js';

const ANSWERS = 3;
const UNKNOWN_ADDRESS = 'nobody@invalid.invalid';

/** Tries directories for their administrators. */
export class DirectoryTester {
  /** Tenants for which a directory is being tried. */
  private readonly running = new Set<string>();

  /** @param rule for connections to addresses that tenants have given */
  constructor(private readonly rule: EgressRule) {}

  /** Does what a sign-in does, without anybody's password, and says what was found or what is wrong. It never throws. */
  async test(provider: OpenedProvider<LdapSettings>): Promise<IdentityProviderTest> {
    const { tenantId } = provider;
    if (this.running.has(tenantId)) return failed('Another directory of the tenant is being tried. Please try again.');
    this.running.add(tenantId);
    const signal = AbortSignal.timeout(ANSWERS * provider.settings.timeout_seconds * 1_000);
    try {
      return await Directory.use(provider, this.rule, signal, (directory) => tryOut(directory));
    } catch (error) {
      return failed(messageOf(error, provider));
    } finally {
      this.running.delete(tenantId);
    }
  }
}

async function tryOut(directory: Directory): Promise<IdentityProviderTest> {
  const { settings } = directory.provider;
  const connection = await directory.connectToSearch();
  const search = { base: settings.base_dn, attributes: personAttributes(settings), maxEntries: 1 };
  await connection.search({ ...search, filter: fillFilter(settings.user_filter, 'email', UNKNOWN_ADDRESS) });
  const { entries } = await connection.search({ ...search, filter: settings.sync_filter });
  const [entry] = entries;
  if (!entry) return failed('The directory answers, but nobody below base_dn fits sync_filter, or may be seen.');
  const person = readPerson(entry, settings);
  if (person.externalId === undefined) return failed(`A person was found, but without ${settings.id_attribute}.`);
  if (person.emails.length === 0) {
    return failed(`A person was found, but ${settings.email_attribute} is no address in the domains of the provider.`);
  }
  const source = groupsToSearch(connection, settings);
  const { groups } = await findMemberships(settings, source, person.dn);
  const ofGroups = groups ? ` That person is in ${groups.length} groups.` : '';
  return { success: true, message: `The directory answers, and a person was found below base_dn.${ofGroups}` };
}

function failed(message: string): IdentityProviderTest {
  return { success: false, message };
}

/** Whoever may not know what there is in the network of the server is told one and the same. */
function messageOf(error: unknown, { approved }: OpenedProvider): string {
  if (!(error instanceof DirectoryFailure)) return 'The directory cannot be tried.';
  if (!approved && (error.kind === 'unreachable' || error.kind === 'timeout')) {
    return 'The directory cannot be reached, or where it is is not public and a sysadmin has not approved it.';
  }
  const { detail } = error;
  return typeof detail === 'string' && detail !== '' ? `${error.message} (${detail})` : error.message;
}
