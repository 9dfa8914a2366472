import type { AnyJson } from '../probes/any-json.js';
import type { Platform } from '../servers/platform.js';
import type { ScriptedDirectory } from '../servers/scripted-directory.js';
import { foundPerson, startSearchedDirectory } from '../servers/searched-directory.js';
import type { HeardSearch, SearchAnswer } from '../servers/searched-directory.js';
import { addDirectory, untilSynced } from './directories.js';

/** A sync that has begun, with a directory of some people whose groups a test answers. */
export interface GroupSync {
  readonly directory: ScriptedDirectory;
  /** The searches for groups so far. */
  readonly searches: readonly HeardSearch[];
  /** Waits for its end. */
  readonly result: () => Promise<AnyJson>;
}

const SETTINGS = {
  kind: 'ldap',
  name: 'Many groups',
  domains: ['example.test'],
  base_dn: 'ou=people',
  group_base_dn: 'ou=groups',
  timeout_seconds: 60,
};

/**
 * Begins a sync that changes nothing.
 * @param onGroups answers a search for groups; `n` is how many there were before
 */
export async function beginGroupSync(
  platform: Platform,
  onGroups: (search: HeardSearch, n: number) => SearchAnswer | Promise<SearchAnswer>,
  { people = 3, ...settings }: { people?: number; group_filter?: string } = {},
): Promise<GroupSync> {
  const searches: HeardSearch[] = [];
  const directory = await startSearchedDirectory((search) => {
    if (search.base === '') return { entries: [] };
    if (search.base !== 'ou=groups') return { entries: Array.from({ length: people }, (_, n) => foundPerson(n)) };
    searches.push(search);
    return onGroups(search, searches.length - 1);
  });
  const { access_token: token } = await platform.login();
  const id = await addDirectory(platform, token, { ...SETTINGS, ...settings, url: directory.url });
  const path = `/v1/admin/directories/${id}/sync`;
  const { body } = await platform.request('POST', path, { token, body: { dry_run: true } });
  return { directory, searches, result: () => untilSynced(platform, token, id, body.id) };
}
