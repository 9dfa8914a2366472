import type { LdapSettings } from '../../providers/provider-settings.js';
import type { LdapConnection } from '../ldap/ldap-connection.js';
import { SearchedGroups } from './searched-groups.js';

/** Whether a directory is asked for groups. */
export function hasGroups(settings: LdapSettings): settings is LdapSettings & { readonly group_base_dn: string } {
  return settings.group_base_dn !== undefined;
}

/** The groups of a directory, asked for one member after another; undefined where nobody asks. */
export function groupsToSearch(connection: LdapConnection, settings: LdapSettings): SearchedGroups | undefined {
  return hasGroups(settings) ? new SearchedGroups(connection, settings) : undefined;
}
