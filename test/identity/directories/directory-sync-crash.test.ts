import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ADMIN, Replica } from '../../crash/replica.js';
import type { AnyJson } from '../../support/any-json.js';
import { buildServer } from '../../support/built-server.js';
import { directorySettings } from '../../support/directories.js';
import { DirectoryServer } from '../../support/directory-server.js';
import { eventually } from '../../support/eventually.js';
import { onSlapd } from '../../support/services.js';

const PEOPLE = 600;

onSlapd.describe('a directory sync whose process is killed', () => {
  let directory: DirectoryServer;
  let server: Replica;
  let folder: string;
  beforeAll(async () => ({ directory, server, folder } = await setUp()));
  afterAll(() => Promise.all([server.kill(), directory.close()]).then(() => rmSync(folder, { recursive: true })));

  onSlapd.it(
    'is done to the end, and counts everybody once',
    async () => {
      const provider = await ask('POST', '/v1/admin/identity-providers', directorySettings(directory));
      const { id } = await ask('POST', `/v1/admin/directories/${provider.id}/sync`, {});
      const path = `/v1/admin/directories/${provider.id}/syncs/${id}`;

      for (const atLeast of [100, 350]) {
        await eventually(
          `${atLeast} people have accounts`,
          60,
          async () => (await ask('GET', path)).counts.created > atLeast,
        );
        await server.kill();
        await server.start();
      }
      const done = await eventually('the sync is over', 90, async () => {
        const sync = await ask('GET', path);
        return sync.finished_at !== null && sync;
      });

      const counts = { created: PEOPLE, updated: 0, suspended: 0, unchanged: 0, failed: 0 };
      expect(done).toMatchObject({ status: 'completed', counts, errors: [] });
      const query = '{ me { tenant { users(first: 1) { totalCount } } } }';
      expect(await ask('POST', '/graphql', { query })).toEqual({
        data: { me: { tenant: { users: { totalCount: PEOPLE + 1 } } } },
      });
    },
    300_000,
  );

  /** Signs in each time: the server may be another process by now. */
  async function ask(method: string, path: string, body?: object): Promise<AnyJson> {
    const origin = server.life?.origin ?? '';
    const headers = { 'content-type': 'application/json' };
    const login = await fetch(`${origin}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
    const { access_token: token } = (await login.json()) as AnyJson;
    const authorization = `Bearer ${token}`;
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, authorization },
      body: body && JSON.stringify(body),
    });
    return answer.json();
  }
});

async function setUp(): Promise<{ directory: DirectoryServer; server: Replica; folder: string }> {
  await buildServer();
  const folder = mkdtempSync(join(tmpdir(), 'directory-sync-'));
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ uid: `p${n}` }));
  const directory = await DirectoryServer.start(people, {});
  const server = new Replica('server', folder, { DATA_DIR: join(folder, 'data') });
  await server.start();
  return { directory, server, folder };
}
