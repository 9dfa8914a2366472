import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { LdapSettings } from '../../providers/provider-settings.js';
import { normalizeDn } from '../ldap/distinguished-name.js';
import type { LdapConnection } from '../ldap/ldap-connection.js';
import type { DirectoryGroup, GroupSource } from './group-source.js';
import { readGroup } from './searched-groups.js';
import { textsOf } from '../directory-person.js';

const PAGE = 50;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Members of all groups together: what is kept of them takes some 100 MB. */
const MAX_MEMBERS = 500_000;
const MAX_GROUPS = 20_000;
/** The assertion of `group_filter` that names the member. */
const MEMBER = /\(\s*([a-z][a-z0-9-]*)\s*=\{dn\}\)/gi;

/** All groups of a directory, read once: for many members. */
export class LoadedGroups implements GroupSource {
  private readonly byMember = new Map<string, DirectoryGroup[]>();
  private memberCount = 0;

  private constructor(private readonly hash = createHash('sha256')) {}

  /**
   * Reads the groups.
   * @returns undefined where they must be asked for one member after another: there are too many, the directory tells
   * members in parts (Active Directory, from 1,500 on), or `group_filter` means more than that an attribute has the member
   * @throws DirectoryFailure
   */
  static async load(
    connection: LdapConnection,
    settings: LdapSettings & { readonly group_base_dn: string },
  ): Promise<LoadedGroups | undefined> {
    const attribute = memberAttribute(settings.group_filter);
    if (attribute === undefined) return undefined;
    const groups = new LoadedGroups();
    const search = {
      base: settings.group_base_dn,
      filter: settings.group_filter.replaceAll(MEMBER, `(${attribute}=*)`),
      attributes: ['cn', attribute],
      maxEntries: PAGE,
      maxBytes: MAX_PAGE_BYTES,
      maxValues: MAX_MEMBERS,
    };
    let count = 0;
    for (let cookie: Buffer | undefined, isFirst = true; isFirst || cookie; isFirst = false) {
      const found = await connection.search({ ...search, page: { cookie } });
      cookie = found.cookie;
      for (const entry of found.entries) {
        if ([...entry.attributes.keys()].some((name) => name.startsWith(`${attribute.toLowerCase()};`)))
          return undefined;
        if (!groups.add(readGroup(entry), textsOf(entry, attribute))) return undefined;
      }
      count += Math.max(1, found.entries.length);
      if (count > MAX_GROUPS) return undefined;
      await turn();
    }
    return groups;
  }

  groupsOf(dn: string): readonly DirectoryGroup[] {
    return this.byMember.get(normalizeDn(dn)) ?? [];
  }

  /** It changes whenever a group or its members do; to be asked for once. */
  digest(): string {
    return this.hash.digest('base64url');
  }

  /** @returns false where there are too many members */
  private add(group: DirectoryGroup, members: readonly string[]): boolean {
    this.memberCount += members.length;
    if (this.memberCount > MAX_MEMBERS) return false;
    this.hash.update(JSON.stringify([group.dn, group.cn, members.length]));
    for (const member of members) {
      const key = normalizeDn(member);
      this.hash.update(key);
      const groups = this.byMember.get(key);
      if (groups) groups.push(group);
      else this.byMember.set(key, [group]);
    }
    return true;
  }
}

/** Undefined: the filter says more than that one attribute has the member, such as by `|`, `!` or another rule. */
function memberAttribute(filter: string): string | undefined {
  const [found, ...others] = [...filter.matchAll(MEMBER)];
  const isSimple = others.length === 0 && filter.split('{dn}').length === 2 && !/[|!]/.test(filter);
  return isSimple ? found?.[1] : undefined;
}
