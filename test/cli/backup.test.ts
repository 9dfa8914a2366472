import { mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { runProgram } from '../../src/cli/command.js';
import { backupCommand } from '../../src/cli/commands/backup.js';
import { restoreCommand } from '../../src/cli/commands/restore.js';
import { CHAT } from '../support/builders/chat-request.js';
import { whoAmI } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import { readBytes, writeBytes } from '../support/probes/stored-blobs.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import type { EndedCommand } from '../support/servers/command-process.js';
import { onEmbedded, onPostgres } from '../support/servers/services.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('a database that was backed up, changed and restored', () => {
  let platform: Platform;
  let [folder, file] = ['', ''];
  let before: Awaited<ReturnType<typeof store>>;
  let ended: Record<'used' | 'backup' | 'refused' | 'running' | 'restored', EndedCommand>;

  beforeAll(prepare);
  afterAll(() => platform.close().then(removeFolders));

  it('has accounts, tokens, calls and quotas as they were', async () => {
    const now = await readState(before.token);

    expect([ended.restored.code, ended.restored.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await me(before.pat)).toBe(200);
    expect(now).toEqual(before.state);
  });

  onEmbedded.it('has the bytes of files, under the keys that they had', async () => {
    expect(await platform.app.blobs.isElsewhere(before.key)).toBe(false);
    expect(await readBytes(platform.app.blobs, before.key)).toEqual(before.bytes);
  });

  it('has nothing of what only a later version knows', async () => {
    const later = "SELECT to_regclass('later') AS later, to_regnamespace('before_restore') AS aside";

    expect(await platform.query(later)).toEqual([{ later: null, aside: null }]);
  });

  it('was backed up into one file, which its owner alone may read', async () => {
    expect([ended.backup.code, ended.backup.output]).toEqual([0, expect.stringContaining(file)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['backup']);
  });

  it('was not replaced without --force, or while a server ran on it', () => {
    expect([ended.refused.code, ended.refused.output]).toEqual([1, expect.stringContaining('--force')]);
    expect([ended.running.code, ended.running.output]).toEqual([1, expect.stringMatching(/in use|running/)]);
  });

  onEmbedded.it('was not backed up while another process used it', () => {
    expect([ended.used.code, ended.used.output]).toEqual([1, expect.stringContaining('in use by process')]);
  });

  onEmbedded.it('was backed up with what links in its folder lead to', async () => {
    const { dataDir } = platform.config;
    const [elsewhere, made] = [join(folder, 'elsewhere'), join(folder, 'linked')];

    const names = await platform.whileStopped(async () => {
      await rename(join(dataDir, 'blobs'), elsewhere);
      await symlink(elsewhere, join(dataDir, 'blobs'));
      await backup(made);
      await rm(join(dataDir, 'blobs'));
      await rename(elsewhere, join(dataDir, 'blobs'));
      return runProgram('tar', ['-tzf', made]);
    });

    expect(names).toContain(before.key);
  });

  onPostgres.it('is restored over what a broken-off restore has left', async () => {
    const { access_token: token } = await platform.login();
    const made = join(folder, 'before');

    const restored = await platform.whileStopped(async () => {
      await backup(made);
      const database = await new DataSource({ type: 'postgres', url: platform.config.databaseUrl }).initialize();
      await database.query('ALTER SCHEMA public RENAME TO before_restore');
      await database.query('CREATE SCHEMA public');
      await database.destroy();
      return restore(made, '--force');
    });

    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await me(token)).toBe(200);
  });

  async function prepare(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    file = join(folder, 'backup');
    platform = await startPlatform({}, createTestDatabaseFolder);
    const { env } = databaseOf(platform);
    before = await store();
    const used = await runCommandProcess('backup', { args: [join(folder, 'used')], env });
    await rm(join(folder, 'used'), { force: true });
    const [made, refused] = await platform.whileStopped(
      async () => [await runCommandProcess('backup', { args: [file], env }), await restore(file)] as const,
    );
    await change();
    const running = await restore(file, '--force');
    const restored = await platform.whileStopped(() => runCommandProcess('restore', { args: [file, '--force'], env }));
    ended = { used, backup: made, refused, running, restored };
  }

  async function store() {
    const { access_token: token } = await platform.login();
    const body = { name: 'Stored', scopes: ['*'] };
    const pat = (await platform.request('POST', '/v1/api-tokens', { token, body })).body.token as string;
    await chat(token);
    const bytes = Buffer.from('What was stored.');
    const { key } = await writeBytes(platform.app.blobs, bytes);
    await platform.app.database.dataSource.transaction((tx) => platform.app.blobs.keep(tx, [key]));
    return { token, pat, bytes, key, state: await readState(token) };
  }

  async function change(): Promise<void> {
    await chat(before.token);
    await platform.query('CREATE TABLE later (user_id text REFERENCES users (id))');
    await platform.app.database.dataSource.transaction((tx) => platform.app.blobs.release(tx, [before.key]));
    await eventually('its bytes are gone', 10, async () => (await platform.query('SELECT FROM blobs')).length === 0);
  }

  function chat(token: string) {
    return platform.request('POST', '/v1/chat/completions', { token, body: { ...CHAT, model: 'builtin-extractive' } });
  }

  async function readState(token: string): Promise<unknown[]> {
    const paths = ['/v1/quota', '/v1/usage/calls'];
    return Promise.all(paths.map(async (path) => (await platform.request('GET', path, { token })).body));
  }

  function backup(...args: string[]): Promise<EndedCommand> {
    return runCommand(backupCommand, databaseOf(platform), { args });
  }

  function restore(...args: string[]): Promise<EndedCommand> {
    return runCommand(restoreCommand, databaseOf(platform), { args });
  }

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
