import { dnKey } from '../ldap/distinguished-name.js';

/** Somebody, or a group, as a member of groups. */
export interface DirectoryMember {
  readonly dn: string;
  /** As `dnKey` gives it: names are long, and compared often. */
  readonly key: string;
}

/** A group of a directory. */
export interface DirectoryGroup extends DirectoryMember {
  /** Empty where it has none. */
  readonly cn: string;
}

/** Tells which groups name somebody, or another group, as a member of their own. */
export interface GroupSource {
  /** @throws DirectoryFailure */
  groupsOf(member: DirectoryMember): Promise<readonly DirectoryGroup[]> | readonly DirectoryGroup[];
}

/** What an object, its key and its place in a list or a map take. */
const OBJECT_BYTES = 200;

/** A member by its name. */
export function toMember(dn: string): DirectoryMember {
  return { dn, key: dnKey(dn) };
}

/** What a group takes of the memory, at most. */
export function bytesOfGroup({ dn, cn }: DirectoryGroup): number {
  return OBJECT_BYTES + 2 * (dn.length + cn.length);
}
