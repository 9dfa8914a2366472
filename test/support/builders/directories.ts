import type { AnyJson } from '../probes/any-json.js';
import { MANAGER, SUFFIX } from '../servers/directory-server.js';
import type { DirectoryServer } from '../servers/directory-server.js';
import { eventually } from '../probes/eventually.js';
import type { Platform, RestAnswer } from '../servers/platform.js';

/** The settings of a directory over TLS, with its service account. */
export function directorySettings(server: Pick<DirectoryServer, 'tlsUrl' | 'ca'>): Record<string, unknown> {
  return {
    kind: 'ldap',
    name: 'Directory',
    domains: ['example.test'],
    url: server.tlsUrl,
    ca: server.ca,
    bind_dn: MANAGER.dn,
    bind_password: MANAGER.password,
    base_dn: `ou=people,${SUFFIX}`,
    timeout_seconds: 5,
  };
}

/** Groups of a directory, of which `admins` administer. */
export const GROUP_SETTINGS = {
  group_base_dn: `ou=groups,${SUFFIX}`,
  group_map: [{ group: 'admins', privilege: 'admin' }],
} as const;

/** Sets a directory up; answers its id. */
export async function addDirectory(platform: Platform, token: string, settings: object): Promise<string> {
  const { status, body } = await platform.request('POST', '/v1/admin/identity-providers', { token, body: settings });
  if (status !== 201) throw new Error(`No directory was set up: ${JSON.stringify(body)}`);
  return (body as AnyJson).id as string;
}

/** Tries to sign in. */
export function tryToSignIn(platform: Platform, email: string, password: string): Promise<RestAnswer> {
  return platform.request('POST', '/v1/auth/login', { body: { email, password } });
}

/** Syncs a directory, and answers the sync when it is over. */
export async function syncDirectory(
  platform: Platform,
  token: string,
  id: string,
  options: object = {},
): Promise<AnyJson> {
  const { status, body } = await platform.request('POST', `/v1/admin/directories/${id}/sync`, { token, body: options });
  if (status !== 202) throw new Error(`No sync began: ${JSON.stringify(body)}`);
  return untilSynced(platform, token, id, (body as AnyJson).id as string);
}

/** Waits until a sync is over. */
export function untilSynced(platform: Platform, token: string, id: string, syncId: string): Promise<AnyJson> {
  return eventually('the sync is over', 60, async () => {
    const { body } = await platform.request('GET', `/v1/admin/directories/${id}/syncs/${syncId}`, { token });
    return body.finished_at !== null && (body as AnyJson);
  });
}
