import type { LdapSettings } from '../../providers/provider-settings.js';
import { directoryName, textsOf } from '../directory-person.js';
import { DirectoryFailure, LDAP_RESULT } from '../ldap/directory-failure.js';
import { normalizeDn } from '../ldap/distinguished-name.js';
import type { LdapEntry } from '../ldap/ldap-answer.js';
import type { LdapConnection } from '../ldap/ldap-connection.js';
import { fillFilter } from '../ldap/ldap-filter.js';
import type { DirectoryGroup, GroupSource } from './group-source.js';

/** Groups that name one member. */
const MAX_GROUPS = 1_000;
const MAX_BYTES = 1024 * 1024;
/** Members whose groups are remembered: groups in groups are asked for again and again. */
const MAX_REMEMBERED = 10_000;

/** Asks the directory for the groups of each member. */
export class SearchedGroups implements GroupSource {
  private readonly known = new Map<string, Promise<readonly DirectoryGroup[]>>();

  constructor(
    private readonly connection: LdapConnection,
    private readonly settings: LdapSettings & { readonly group_base_dn: string },
  ) {}

  async groupsOf(dn: string): Promise<readonly DirectoryGroup[]> {
    const key = normalizeDn(dn);
    const known = this.known.get(key);
    if (known) return known;
    const found = this.search(dn);
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.set(key, found);
    return found;
  }

  private async search(dn: string): Promise<readonly DirectoryGroup[]> {
    const { entries, code } = await this.connection.search({
      base: this.settings.group_base_dn,
      filter: fillFilter(this.settings.group_filter, 'dn', dn),
      attributes: ['cn'],
      maxEntries: MAX_GROUPS,
      maxBytes: MAX_BYTES,
    });
    // Privileges are never guessed from some of the groups.
    if (code === LDAP_RESULT.success) return entries.map(readGroup);
    throw new DirectoryFailure('result', 'Somebody is in more groups than are read.', code);
  }
}

/** Reads a group. */
export function readGroup(entry: LdapEntry): DirectoryGroup {
  return { dn: entry.dn, cn: directoryName(textsOf(entry, 'cn')[0] ?? '') };
}
