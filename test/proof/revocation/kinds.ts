import { Attribute, Change } from 'ldapts';
import { eventually } from '../../support/probes/eventually.js';
import { groupDn, personDn } from '../../support/servers/directory-server.js';
import type { Directory, Person, RevocationSite } from './site.js';

const OWN = '/v1/auth/me';
const OF_ADMINS = '/v1/admin/users?limit=1';

/** A person and those of the tokens that are to end, with what they are used for. */
export interface Victim {
  readonly tokens: readonly string[];
  readonly path: string;
  /** Ends the tokens; resolves with the answer that says so. */
  revoke(): Promise<unknown>;
}

/** A way in which tokens end. */
export interface RevocationKind {
  readonly name: string;
  /** Undefined where there is nobody left. */
  prepare(site: RevocationSite): Promise<Victim | undefined>;
}

/** All ways. */
export const REVOCATION_KINDS: readonly RevocationKind[] = [
  kind('personal access token deleted', ['pat'], ({ patId, jwt: token }, site) =>
    site.send('DELETE', `/v1/api-tokens/${patId}`, { token }),
  ),
  kind('logout', ['jwt'], ({ jwt, refreshToken }, site) =>
    site.send('POST', '/v1/auth/logout', { body: { access_token: jwt, refresh_token: refreshToken } }),
  ),
  kind('user suspended', ['jwt', 'pat'], ({ id }, site) => patch(site, id, { status: 'suspended' })),
  kind('privilege taken away', ['jwt', 'pat'], ({ id }, site) => patch(site, id, { privileges: ['user'] }), OF_ADMINS),
  kind('sessions ended by an administrator', ['jwt'], ({ id }, site) =>
    site.send('DELETE', `/v1/admin/users/${id}/sessions`, { token: site.sysadmin }),
  ),
  kind('user deleted', ['jwt', 'pat'], ({ id }, site) =>
    site.send('DELETE', `/v1/auth/users/${id}`, { token: site.serviceKey }),
  ),
  {
    name: 'removed from a group, synced',
    prepare: async (site) => {
      const { directory } = site;
      const person = directory && (await site.nextOfDirectory());
      if (!person) return undefined;
      const { jwt, pat, uid } = person;
      return { tokens: [jwt, pat], path: OF_ADMINS, revoke: () => leaveGroup(site, directory, uid) };
    },
  },
];

function kind(
  name: string,
  tokens: readonly ('jwt' | 'pat')[],
  revoke: (person: Person, site: RevocationSite) => Promise<unknown>,
  path: string = OWN,
): RevocationKind {
  return {
    name,
    prepare: async (site) => {
      const person = await site.addPerson(path === OF_ADMINS ? ['user', 'admin'] : ['user']);
      return { tokens: tokens.map((one) => person[one]), path, revoke: () => revoke(person, site) };
    },
  };
}

function patch(site: RevocationSite, id: string, body: object): Promise<unknown> {
  return site.send('PATCH', `/v1/admin/users/${id}`, { token: site.sysadmin, body });
}

/** The answer that counts is the one that tells that the sync is over. */
async function leaveGroup(site: RevocationSite, { server, providerId }: Directory, uid: string): Promise<void> {
  const modification = new Attribute({ type: 'member', values: [personDn(uid)] });
  await server.change((client) => client.modify(groupDn('admins'), new Change({ operation: 'delete', modification })));
  const { sysadmin: token } = site;
  const path = `/v1/admin/directories/${providerId}`;
  const { id } = await site.send('POST', `${path}/sync`, { token, body: {} });
  const sync = await eventually('the sync is over', 60, async () => {
    const row = await site.send('GET', `${path}/syncs/${id}`, { token });
    return row.finished_at !== null && row;
  });
  if (sync.status !== 'completed') throw new Error(`A sync is ${sync.status}.`);
}
