import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryServer, MANAGER, SUFFIX } from '../test/support/servers/directory-server.js';
import { callApi } from './api.js';
import { gateway } from './contenders.js';
import type { Environment } from './environment.js';
import type { Target } from './load.js';
import type { Figure, Section } from './section.js';

const PEOPLE = 10_000;
const QUICK_PEOPLE = 1_000;
/** Each with as many members. */
const GROUPS = 100;
const POLL_MS = 50;

/** How long the syncs of a directory take. */
export function directorySync(environment: Environment, isQuick: boolean): Section {
  const count = isQuick ? QUICK_PEOPLE : PEOPLE;
  return {
    name: 'directory-sync',
    title: `Directory sync of ${count.toLocaleString('en')} people`,
    about: `PostgreSQL, and an OpenLDAP over TLS on this machine; ${GROUPS} groups, everybody in one; from the request to the end of
the job.`,
    columns: ['this server'],
    rounds: 1,
    measure: async () => {
      if (!existsSync('/usr/sbin/slapd')) throw new Error('slapd is not installed.');
      const people = Array.from({ length: count }, (_, n) => ({ uid: `person${n}` }));
      const members = Object.groupBy(people, ({ uid }) => `group${Number(uid.slice(6)) % GROUPS}`);
      const groups = Object.fromEntries(
        Object.entries(members).map(([name, some = []]) => [name, some.map(({ uid }) => uid)]),
      );
      const directory = await DirectoryServer.start(people, groups);
      const running = await gateway(environment, 'this server').start();
      try {
        return await measure(running.target, directory, count);
      } finally {
        await running.stop();
        await directory.close();
      }
    },
  };
}

async function measure(target: Target, directory: DirectoryServer, count: number): Promise<Figure[]> {
  const { id } = await callApi<{ id: string }>(target, {
    method: 'POST',
    path: '/v1/admin/identity-providers',
    body: {
      kind: 'ldap',
      name: 'Directory',
      domains: ['example.test'],
      url: directory.tlsUrl,
      ca: directory.ca,
      bind_dn: MANAGER.dn,
      bind_password: MANAGER.password,
      base_dn: `ou=people,${SUFFIX}`,
      group_base_dn: `ou=groups,${SUFFIX}`,
    },
  });
  return [
    {
      row: 'the first, which makes all accounts, s',
      value: await sync(target, id, { created: count }),
      reach: { below: 60 },
    },
    {
      row: 'a full one that changes nothing, s',
      value: await sync(target, id, { unchanged: count }, true),
      reach: { below: 60 },
    },
    {
      row: 'one that reads what has changed in ten minutes, which is everybody, s',
      value: await sync(target, id, {}),
      reach: { below: 60 },
    },
  ];
}

/** Seconds. @throws Error where it did not do what it should */
async function sync(target: Target, id: string, expected: Record<string, number>, full = false): Promise<number> {
  const startedAt = performance.now();
  const path = `/v1/admin/directories/${id}/sync`;
  const { id: syncId } = await callApi<{ id: string }>(target, { method: 'POST', path, body: { full } });
  for (;;) {
    const answer = await callApi<Answer>(target, { method: 'GET', path: `${path}s/${syncId}` });
    if (answer.finished_at !== null) {
      const isRight = Object.entries(expected).every(([name, count]) => answer.counts[name] === count);
      if (answer.status !== 'completed' || !isRight) throw new Error(`The sync went wrong: ${JSON.stringify(answer)}`);
      return (performance.now() - startedAt) / 1_000;
    }
    await sleep(POLL_MS);
  }
}

interface Answer {
  readonly status: string;
  readonly counts: Record<string, number>;
  readonly finished_at: string | null;
}
