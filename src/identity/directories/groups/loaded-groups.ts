import { createHash } from 'node:crypto';
import type { ByteBudget } from '../../../platform/async/byte-budget.js';
import { CooperativeYield } from '../../../platform/async/cooperative-yield.js';
import type { LdapSettings } from '../../providers/provider-settings.js';
import { dnKey } from '../ldap/distinguished-name.js';
import type { LdapEntry } from '../ldap/ldap-answer.js';
import type { LdapConnection, LdapSearch } from '../ldap/ldap-connection.js';
import { bytesOfGroup } from './group-source.js';
import type { DirectoryGroup, DirectoryMember, GroupSource } from './group-source.js';
import { readGroup } from './searched-groups.js';

const PAGE = 50;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Of what is kept of all groups and members together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Of the names that are read: to compare them takes its time. */
const MAX_READ_BYTES = 256 * 1024 * 1024;
/** What a member takes with its key and the list of its groups, and each further group of it. */
const MEMBER_BYTES = 160;
const MEMBERSHIP_BYTES = 16;
/** In the answers for one page. */
const MAX_VALUES = 500_000;
const MAX_GROUPS = 20_000;
/** The assertion of `group_filter` that names the member. */
const MEMBER = /\(\s*([a-z][a-z0-9-]*)\s*=\{dn\}\)/gi;

interface LoadedGroupsParts {
  readonly connection: LdapConnection;
  readonly settings: LdapSettings & { readonly group_base_dn: string };
  /** What all syncs of this process may keep of groups. */
  readonly budget: ByteBudget;
  /** Called when the directory has told some groups. */
  readonly moved: () => void;
}

/** All groups of a directory, read once: for many members. */
export class LoadedGroups implements GroupSource {
  private readonly byMember = new Map<string, DirectoryGroup[]>();
  private readonly hash = createHash('sha256');
  private readonly turn = new CooperativeYield();
  private bytes = 0;
  private readBytes = 0;

  private constructor(private readonly budget: ByteBudget) {}

  /**
   * Reads the groups; what they take of the budget is given back by `release`.
   * @returns undefined where they must be asked for one member after another: there are too many, the directory tells
   * members in parts (Active Directory, from 1,500 on), or `group_filter` means more than that an attribute has the member
   * @throws DirectoryFailure
   */
  static async load(parts: LoadedGroupsParts): Promise<LoadedGroups | undefined> {
    const attribute = memberAttribute(parts.settings.group_filter);
    if (attribute === undefined) return undefined;
    const groups = new LoadedGroups(parts.budget);
    let isWhole = false;
    try {
      isWhole = await groups.read(parts, attribute);
    } finally {
      if (!isWhole) groups.release();
    }
    return isWhole ? groups : undefined;
  }

  groupsOf({ key }: DirectoryMember): readonly DirectoryGroup[] {
    return this.byMember.get(key) ?? [];
  }

  /** It changes whenever a group or its members do; to be asked for once. */
  digest(): string {
    return this.hash.digest('base64url');
  }

  /** Forgets the groups. */
  release(): void {
    this.byMember.clear();
    this.budget.release(this.bytes);
    this.bytes = 0;
  }

  /** @returns false where they are not all there */
  private async read({ connection, settings, moved }: LoadedGroupsParts, attribute: string): Promise<boolean> {
    const search: LdapSearch = {
      base: settings.group_base_dn,
      filter: settings.group_filter.replaceAll(MEMBER, `(${attribute}=*)`),
      attributes: ['cn', attribute],
      maxEntries: PAGE,
      maxBytes: MAX_PAGE_BYTES,
      maxValues: MAX_VALUES,
    };
    let count = 0;
    for (let cookie: Buffer | undefined, isFirst = true; isFirst || cookie; isFirst = false) {
      const found = await connection.search({ ...search, page: { cookie } });
      cookie = found.cookie;
      if (found.entries.length > 0) moved();
      for (const entry of found.entries) if (!(await this.add(entry, attribute.toLowerCase()))) return false;
      count += Math.max(1, found.entries.length);
      if (count > MAX_GROUPS) return false;
    }
    return true;
  }

  /** @returns false where there is no room for its members, or the directory tells only some of them */
  private async add(entry: LdapEntry, attribute: string): Promise<boolean> {
    if ([...entry.attributes.keys()].some((name) => name.startsWith(`${attribute};`))) return false;
    const group = readGroup(entry);
    const members = entry.attributes.get(attribute) ?? [];
    if (!this.charge(bytesOfGroup(group))) return false;
    this.hash.update(JSON.stringify([group.dn, group.cn, members.length]));
    for (const member of members) {
      this.readBytes += member.length;
      if (this.readBytes > MAX_READ_BYTES) return false;
      const key = dnKey(member.toString('utf8'));
      const groups = this.byMember.get(key);
      if (!this.charge(groups ? MEMBERSHIP_BYTES : MEMBER_BYTES)) return false;
      this.hash.update(key, 'binary');
      if (groups) groups.push(group);
      else this.byMember.set(key, [group]);
      if (this.turn.isDue) await this.turn.yield();
    }
    return true;
  }

  private charge(bytes: number): boolean {
    if (this.bytes + bytes > MAX_BYTES || !this.budget.take(bytes)) return false;
    this.bytes += bytes;
    return true;
  }
}

/** Undefined: the filter says more than that one attribute has the member, such as by `|`, `!` or another rule. */
function memberAttribute(filter: string): string | undefined {
  const [found, ...others] = [...filter.matchAll(MEMBER)];
  const isSimple = others.length === 0 && filter.split('{dn}').length === 2 && !/[|!]/.test(filter);
  return isSimple ? found?.[1] : undefined;
}
