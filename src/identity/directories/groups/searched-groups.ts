import { LRUCache } from 'lru-cache';
import { CooperativeYield } from '../../../platform/async/cooperative-yield.js';
import type { LdapSettings } from '../../providers/provider-settings.js';
import { directoryName, textsOf } from '../directory-person.js';
import { DirectoryFailure, LDAP_RESULT } from '../ldap/directory-failure.js';
import type { LdapEntry } from '../ldap/ldap-answer.js';
import type { LdapConnection } from '../ldap/ldap-connection.js';
import { fillFilter } from '../ldap/ldap-filter.js';
import { bytesOfGroup, toMember } from './group-source.js';
import type { DirectoryGroup, DirectoryMember, GroupSource } from './group-source.js';

/** Groups that name one member. */
const MAX_GROUPS = 1_000;
const MAX_BYTES = 1024 * 1024;
/** Of the groups that are remembered: those in groups are asked for again and again. */
const MAX_REMEMBERED_BYTES = 16 * 1024 * 1024;
const MEMBER_BYTES = 200;

/** Asks the directory for the groups of each member. */
export class SearchedGroups implements GroupSource {
  /** By the keys of members. */
  private readonly known = new LRUCache<string, readonly DirectoryGroup[]>({
    maxSize: MAX_REMEMBERED_BYTES,
    sizeCalculation: (groups) => groups.reduce((sum, group) => sum + bytesOfGroup(group), MEMBER_BYTES),
  });

  constructor(
    private readonly connection: LdapConnection,
    private readonly settings: LdapSettings & { readonly group_base_dn: string },
  ) {}

  async groupsOf({ dn, key }: DirectoryMember): Promise<readonly DirectoryGroup[]> {
    const known = this.known.get(key);
    if (known) return known;
    const found = await this.search(dn);
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
    if (code !== LDAP_RESULT.success) {
      throw new DirectoryFailure('result', 'Somebody is in more groups than are read.', code);
    }
    const groups: DirectoryGroup[] = [];
    const turn = new CooperativeYield();
    for (const entry of entries) {
      groups.push(readGroup(entry));
      if (turn.isDue) await turn.yield();
    }
    return groups;
  }
}

/** Reads a group. */
export function readGroup(entry: LdapEntry): DirectoryGroup {
  return { ...toMember(entry.dn), cn: directoryName(textsOf(entry, 'cn')[0] ?? '') };
}
