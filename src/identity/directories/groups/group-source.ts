/** A group of a directory. */
export interface DirectoryGroup {
  readonly dn: string;
  /** Empty where it has none. */
  readonly cn: string;
}

/** Tells which groups name somebody, or another group, as a member of their own. */
export interface GroupSource {
  /** @throws DirectoryFailure */
  groupsOf(dn: string): Promise<readonly DirectoryGroup[]> | readonly DirectoryGroup[];
}
