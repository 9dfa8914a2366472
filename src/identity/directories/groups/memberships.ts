import type { LdapSettings } from '../../providers/provider-settings.js';
import { DirectoryFailure } from '../ldap/directory-failure.js';
import { dnKey } from '../ldap/distinguished-name.js';
import { toMember } from './group-source.js';
import type { DirectoryGroup, DirectoryMember, GroupSource } from './group-source.js';

/** Groups in groups in groups. */
const MAX_DEPTH = 10;
/** Of one person, with those by way of other groups. */
const MAX_GROUPS = 1_000;
/** Of the names of one person's groups together, which are kept with the account. */
const MAX_CHARACTERS = 64 * 1024;

/** The groups of a person and what they give. */
export interface Memberships {
  /** Undefined: the directory is not asked for groups. */
  readonly groups?: readonly string[];
  /** Undefined: groups decide nothing. */
  readonly isAdmin?: boolean;
}

/**
 * Finds the groups that somebody is in, with the groups of these where nested ones count, and what they give.
 * @param source undefined: the directory has no place for groups
 * @throws DirectoryFailure also where there are more than are followed: privileges are never guessed
 */
export async function findMemberships(
  settings: LdapSettings,
  source: GroupSource | undefined,
  dn: string,
): Promise<Memberships> {
  const found = source ? await findGroups(source, dn, settings.nested_groups ? MAX_DEPTH : 1) : [];
  const names = [...new Set(found.map(({ cn }) => cn).filter((cn) => cn !== ''))].sort();
  if (names.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS) throw tooMany();
  return {
    ...(source && { groups: names }),
    ...(settings.group_map.length > 0 && { isAdmin: givesAdmin(settings.group_map, found) }),
  };
}

/** Each group once, so that groups that contain each other come to an end. */
async function findGroups(source: GroupSource, dn: string, maxDepth: number): Promise<DirectoryGroup[]> {
  const found = new Map<string, DirectoryGroup>();
  let members: readonly DirectoryMember[] = [toMember(dn)];
  for (let depth = 0; members.length > 0 && depth < maxDepth; depth += 1) {
    const next: DirectoryMember[] = [];
    for (const member of members) {
      for (const group of await source.groupsOf(member)) {
        if (found.has(group.key)) continue;
        if (found.size === MAX_GROUPS) throw tooMany();
        found.set(group.key, group);
        next.push(group);
      }
    }
    members = next;
  }
  return [...found.values()];
}

function givesAdmin(map: LdapSettings['group_map'], groups: readonly DirectoryGroup[]): boolean {
  if (groups.length === 0) return false;
  const keys = new Set(groups.map(({ key }) => key));
  const names = new Set(groups.map(({ cn }) => cn.toLowerCase()));
  return map.some(
    ({ group, privilege }) =>
      privilege === 'admin' && (group.includes('=') ? keys.has(dnKey(group)) : names.has(group.trim().toLowerCase())),
  );
}

function tooMany(): DirectoryFailure {
  return new DirectoryFailure('result', 'Somebody is in more groups than are read.');
}
