import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ADMIN, Replica } from '../../crash/replica.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { buildServer } from '../../support/servers/built-server.js';
import { directorySettings } from '../../support/builders/directories.js';
import { DirectoryServer } from '../../support/servers/directory-server.js';
import { eventually } from '../../support/probes/eventually.js';
import { onSlapd } from '../../support/servers/services.js';

const PEOPLE = 600;

onSlapd.describe('a directory sync whose process is killed', () => {
  let folder: string;
  let server: Replica;
  let directory: DirectoryServer | undefined;
  let token: string | undefined;
  // The server may have to be built first.
  beforeAll(startBoth, 120_000);
  afterAll(async () => {
    await Promise.all([server.kill(), directory?.close()]);
    rmSync(folder, { recursive: true });
  });

  onSlapd.it(
    'is done to the end, and counts everybody once',
    async () => {
      const provider = await ask('POST', '/v1/admin/identity-providers', directorySettings(directory!));
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

  async function startBoth(): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'directory-sync-'));
    server = new Replica('server', folder, { DATA_DIR: join(folder, 'data') });
    await buildServer();
    directory = await DirectoryServer.start(
      Array.from({ length: PEOPLE }, (_, n) => ({ uid: `p${n}` })),
      {},
    );
    await server.start();
  }

  async function ask(method: string, path: string, body?: object): Promise<AnyJson> {
    // Once for all lives of the server: to check a password takes a core as long as some people of a sync.
    token ??= (await send('POST', '/v1/auth/login', ADMIN)).access_token as string;
    return send(method, path, body);
  }

  async function send(method: string, path: string, body?: object): Promise<AnyJson> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const origin = server.life?.origin ?? '';
    const answer = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) });
    return answer.json();
  }
});
