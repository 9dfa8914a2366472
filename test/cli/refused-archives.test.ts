import { copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '../../src/cli/command.js';
import { backupCommand } from '../../src/cli/commands/backup.js';
import { restoreCommand } from '../../src/cli/commands/restore.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import type { EndedCommand } from '../support/servers/command-process.js';
import { onEmbedded } from '../support/servers/services.js';
import { ADMIN, startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

const [SECRET_KEY, WAL] = ['secret.key', join('postgres', 'pg_wal')];
/** As fast as it can be. */
const PACK = ['-I', 'gzip -1', '-cf'];

describe('a database whose backup was changed', () => {
  it('is not replaced by one that is damaged, foreign or missing, nor backed up over a file', () => {
    const { damaged, foreign, missing, over, again } = ended;

    expect([damaged, foreign, missing, over, again].map((one) => one?.code)).toEqual([1, 1, 1, 1, 1]);
    for (const one of Object.values(ended)) expect(one.output).not.toMatch(/\n\s+at /);
  });

  onEmbedded.it.each([SECRET_KEY, WAL])('is not replaced by one in which %s is a link', (name) => {
    const { code, output } = ended[name] as EndedCommand;

    expect([code, output]).toEqual([1, expect.stringContaining(`contains ${name}, which is neither`)]);
  });

  onEmbedded.it.each(['cut off', 'a different one'])('is not replaced by one whose secret key is %s', (name) => {
    expect(ended[name]).toEqual({ code: 1, output: expect.stringMatching(/^[^\n]*Set SECRET_KEY to [^\n]*\n$/) });
  });

  it('has stayed as it was', async () => {
    expect((await platform.request('POST', '/v1/auth/login', { body: ADMIN })).status).toBe(200);
  });

  let platform: Platform;
  let [folder, file, content] = ['', '', ''];
  const ended: Record<string, EndedCommand> = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    [file, content] = [join(folder, 'backup'), join(folder, 'content')];
    platform = await startPlatform({}, createTestDatabaseFolder);
    await platform.whileStopped(tryAll);
  });
  afterAll(() => platform.close().then(() => rm(folder, { recursive: true })));

  async function tryAll(): Promise<void> {
    const [damaged, foreign] = [join(folder, 'damaged'), join(folder, 'foreign')];
    await backup(file);
    await copyFile(file, damaged);
    await truncate(damaged, 5_000);
    await writeFile(foreign, 'not a backup');
    ended.damaged = await restore(damaged);
    ended.foreign = await restore(foreign);
    ended.missing = await restore(join(folder, 'missing'));
    ended.over = await backup(foreign);
    ended.again = await backup(file);
    // That of a server is no archive of a folder.
    if (platform.config.databaseUrl === undefined) await tryArchives();
  }

  async function tryArchives(): Promise<void> {
    await mkdir(content);
    await runProgram('tar', ['-C', content, '-xzf', file]);
    for (const name of [SECRET_KEY, WAL]) ended[name] = await withLink(name);
    const key = await readFile(join(content, SECRET_KEY));
    ended['cut off'] = await withKey(key.subarray(0, 5));
    ended['a different one'] = await withKey(key.toReversed());
  }

  async function withLink(name: string): Promise<EndedCommand> {
    const target = join(folder, 'target');
    await rename(join(content, name), target);
    await symlink(target, join(content, name));
    const refused = await restoreContent();
    await rm(join(content, name));
    await rename(target, join(content, name));
    return refused;
  }

  async function withKey(key: Uint8Array): Promise<EndedCommand> {
    await writeFile(join(content, SECRET_KEY), key);
    return restoreContent();
  }

  async function restoreContent(): Promise<EndedCommand> {
    const archive = join(folder, 'archive');
    await runProgram('tar', [...PACK, archive, '-C', content, 'postgres', SECRET_KEY]);
    const refused = await restore(archive);
    await rm(archive);
    return refused;
  }

  function backup(path: string): Promise<EndedCommand> {
    return runCommand(backupCommand, databaseOf(platform), { args: [path] });
  }

  function restore(path: string): Promise<EndedCommand> {
    return runCommand(restoreCommand, databaseOf(platform), { args: [path, '--force'] });
  }
});
