import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CHAT } from '../support/builders/chat-request.js';
import { whoAmI } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import { readBytes, writeBytes } from '../support/probes/stored-blobs.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { databaseEnv, runCommand as run } from '../support/servers/command-process.js';
import { onEmbedded, onPostgres } from '../support/servers/services.js';
import { ADMIN, startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

const BODY = { ...CHAT, model: 'builtin-extractive' };
jest.setTimeout(120_000); // Each command is a process that opens an embedded database.

describe('the commands', () => {
  let folder: string;
  let platform: Platform;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
    platform = await startPlatform({}, createTestDatabaseFolder);
    env = databaseEnv(platform);
  });
  afterAll(() => platform.close().then(removeFolders));

  it('back up and restore everything: accounts, tokens, calls and quotas', async () => {
    const { access_token: token } = await platform.login();
    const { body: pat } = await platform.request('POST', '/v1/api-tokens', {
      token,
      body: { name: 'Stored', scopes: ['*'] },
    });
    await platform.request('POST', '/v1/chat/completions', { token, body: BODY });
    const quota = (await platform.request('GET', '/v1/quota', { token })).body;
    const calls = (await platform.request('GET', '/v1/usage/calls', { token })).body;
    const file = join(folder, 'backup');

    const [backup, refused] = await platform.whileStopped(async () => {
      const made = await run('backup', [file], env);
      return [made, await run('restore', [file], env)] as const;
    });
    await platform.request('POST', '/v1/chat/completions', { token, body: BODY });
    // What only a later version knows is gone with the rest.
    await platform.query('CREATE TABLE later (user_id text REFERENCES users (id))');
    const running = await run('restore', [file, '--force'], env);
    const restored = await platform.whileStopped(() => run('restore', [file, '--force'], env));

    expect([backup.code, backup.output]).toEqual([0, expect.stringContaining(file)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('--force')]);
    expect([running.code, running.output]).toEqual([1, expect.stringMatching(/in use|running/)]);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await me(pat.token)).toBe(200);
    expect((await platform.request('GET', '/v1/quota', { token })).body).toEqual(quota);
    expect((await platform.request('GET', '/v1/usage/calls', { token })).body).toEqual(calls);
    expect((await readdir(folder)).sort()).toEqual(['backup']);
    const later = "SELECT to_regclass('later') AS later, to_regnamespace('before_restore') AS aside";
    expect(await platform.query(later)).toEqual([{ later: null, aside: null }]);
  });

  onEmbedded.it('back up and restore the bytes of files, which whoever made them finds again', async () => {
    const file = join(folder, 'with-files');
    const bytes = Buffer.from('What was stored.');
    const { key } = await writeBytes(platform.app.blobs, bytes);
    await platform.app.database.dataSource.transaction((tx) => platform.app.blobs.keep(tx, [key]));

    await platform.whileStopped(() => run('backup', [file], env));
    await platform.app.database.dataSource.transaction((tx) => platform.app.blobs.release(tx, [key]));
    await eventually('its bytes are gone', 10, async () => (await platform.query('SELECT FROM blobs')).length === 0);
    const restored = await platform.whileStopped(() => run('restore', [file, '--force'], env));
    await rm(file);

    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await platform.app.blobs.isElsewhere(key)).toBe(false);
    expect(await readBytes(platform.app.blobs, key)).toEqual(bytes);
  });

  onPostgres.it('restore over what a broken-off restore has left', async () => {
    const { access_token: token } = await platform.login();
    const file = join(folder, 'before');

    const ended = await platform.whileStopped(async () => {
      await run('backup', [file], env);
      const database = await new DataSource({ type: 'postgres', url: env.DATABASE_URL }).initialize();
      await database.query('ALTER SCHEMA public RENAME TO before_restore');
      await database.query('CREATE SCHEMA public');
      await database.destroy();
      return run('restore', [file, '--force'], env);
    });
    await rm(file);

    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await me(token)).toBe(200);
  });

  it('refuse a file that is damaged, foreign, missing or there already, and touch nothing', async () => {
    const [damaged, foreign] = [join(folder, 'damaged'), join(folder, 'foreign')];
    await platform.whileStopped(() => run('backup', [damaged], env));
    await truncate(damaged, 5_000);
    await writeFile(foreign, 'not a backup');

    const ended = await platform.whileStopped(async () => [
      await run('restore', [damaged, '--force'], env),
      await run('restore', [foreign, '--force'], env),
      await run('restore', [join(folder, 'missing')], env),
      await run('backup', [foreign], env),
      await run('backup', [], env),
    ]);

    expect(ended.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    for (const { output } of ended) expect(output).not.toMatch(/\n\s+at /);
    expect((await platform.request('POST', '/v1/auth/login', { body: ADMIN })).status).toBe(200);
  });

  it('give a user a new password, which ends every session', async () => {
    const { access_token: token } = await platform.login();
    const password = 'Brand new horses graze';
    const reset = (args: string[], input: string) => run('admin', ['reset-password', ...args], env, { input });

    const ended = await platform.whileStopped(async () => [
      await reset([ADMIN.email], 'short'),
      await reset(['nobody@example.test'], password),
      await reset([ADMIN.email], `${password}\n`),
    ]);
    const old = await platform.request('POST', '/v1/auth/login', { body: ADMIN });
    const fresh = await platform.request('POST', '/v1/auth/login', { body: { email: ADMIN.email, password } });

    expect(ended.map(({ code }) => code)).toEqual([1, 1, 0]);
    expect(ended.map(({ output }) => output).join()).not.toContain(password);
    expect(await me(token)).toBe(401);
    expect([old.status, fresh.status]).toEqual([401, 200]);
  });

  onEmbedded.it('say that an embedded database is in use', async () => {
    const ended = [await run('backup', [join(folder, 'used')], env), await run('verify-ledger', [], env)];

    for (const { code, output } of ended)
      expect([code, output]).toEqual([1, expect.stringContaining('in use by process')]);
  });

  it('verify the ledger', async () => {
    const { code, output } = await platform.whileStopped(() => run('verify-ledger', [], env));

    expect([code, output]).toEqual([0, expect.stringContaining('equal the ledger')]);
  });

  it('make no database where there is none', async () => {
    const place = { DATA_DIR: join(folder, 'nowhere') };

    const ended = [
      await run('verify-ledger', [], place),
      await run('admin', ['reset-password', 'a@b.c'], place, { input: 'x' }),
    ];

    for (const { code, output } of ended) expect([code, output]).toEqual([1, expect.stringContaining('no database')]);
    expect(await readdir(folder)).not.toContain('nowhere');
  });

  async function me(token: string): Promise<number> {
    return (await whoAmI(platform, token)).status;
  }

  async function removeFolders(): Promise<void> {
    await rm(folder, { recursive: true });
    // What a restore has replaced stays beside the new one.
    const { dataDir } = platform.config;
    for (const name of await readdir(dirname(dataDir))) {
      if (name.startsWith(`${basename(dataDir)}.before-`)) await rm(join(dirname(dataDir), name), { recursive: true });
    }
  }
});
