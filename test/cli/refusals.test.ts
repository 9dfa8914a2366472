import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand as run } from '../../src/cli/command.js';
import { startEmbeddedServer } from '../../src/platform/database/embedded-database.js';
import { COMMANDS } from '../support/builders/commands.js';
import type { CommandName } from '../support/builders/commands.js';
import { eventually } from '../support/probes/eventually.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a command that cannot do its work says why, and ends with 1', () => {
  const platform = usePlatform();
  const here = (text: string) => text.replace('HERE', folder);
  let folder = '';
  beforeAll(() => void (folder = makeFolder()));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(mistakes())('%s %j %j', async (name, args, env, says) => {
    const places = Object.entries({ DATA_DIR: 'HERE/empty', ...env }).map(([variable, value]) => [
      variable,
      here(value),
    ]);

    const { code, output } = await runCommand(
      COMMANDS[name],
      { env: Object.fromEntries(places) },
      { args: args.map(here) },
    );

    expect([code, output]).toEqual([1, expect.stringMatching(says)]);
    expect(output).toMatch(/^.+\n$/);
    expect(readdirSync(folder).sort()).toEqual(['empty', 'file']);
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
  });

  it.each(unknown())('%s %j, with the database of a server', async (name, args, env, says) => {
    const { env: own, startEmbedded } = databaseOf(platform);

    const { code, output } = await runCommand(
      COMMANDS[name],
      { env: { ...own, ...env }, startEmbedded },
      { args: args.map(here), input: 'nine quiet herons by the lake' },
    );

    expect([code, output]).toEqual([1, expect.stringMatching(says)]);
    expect(output).not.toMatch(/\n\s+at |\n.*\n.*\n/);
  });

  it.each(['\u0003', '\u0004'])('admin, left by the key %j in place of a password', async (typed) => {
    const { env, startEmbedded = startEmbeddedServer } = databaseOf(platform);
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const lines: string[] = [];

    const args = ['reset-password', 'admin@example.test'];
    const stderr = { write: (text: string) => lines.push(text) };
    const ended = run(COMMANDS.admin, { args, env, stdin, stderr, print: () => undefined, startEmbedded });
    await eventually('it asks', 10, async () => lines.length > 0);
    stdin.write(typed);

    expect(await ended).toBe(1);
    expect(lines.join('')).toBe('New password of admin@example.test: \nNothing was changed.\n');
  });
});

type Row = [CommandName, string[], Record<string, string>, RegExp];

/** What is wrong before any database is opened, in a folder `HERE` with an empty folder and a file. */
function mistakes(): Row[] {
  const addresses: Row[] = [];
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const args = { admin: ['reset-password', 'a@b.test', '--generate'], backup: ['HERE/new'], restore: ['HERE/file'] };
    const right = args[name as keyof typeof args] ?? [];
    const keys = { SECRET_KEY: '1'.repeat(64), SECRET_KEY_PREVIOUS: '2'.repeat(64) };
    addresses.push([name, ['--nonsense'], {}, /^Unknown option '--nonsense'\. Usage: npm run /]);
    addresses.push([name, ['one', 'two', 'three'], {}, /^Usage: npm run /]);
    const away = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:9/platform', ...keys };
    if (name === 'restore') continue;
    addresses.push([name, right, away, /^The database server 127\.0\.0\.1:9 does not answer.*\(ECONNREFUSED\)$/m]);
    addresses.push([name, right, keys, /^There is no database in \S+\/empty\. Set DATA_DIR or DATABASE_URL/]);
    addresses.push([name, right, { ...keys, DATA_DIR: 'HERE/file' }, /^There is no database in \S+\/file\./]);
  }
  return [
    ...addresses,
    ['admin', [], {}, /^Usage/],
    ['admin', ['reset-password', ''], {}, /^Usage/],
    ['admin', ['delete-user', 'a@b.test'], {}, /^Usage/],
    ['backup', [], {}, /^Usage/],
    ['backup', ['HERE/missing/x'], {}, /^\S+\/missing cannot be used: it does not exist \(ENOENT\)\.$/m],
    ['backup', ['HERE/file/x'], {}, /^\S+\/file cannot be used: .* not a folder \(ENOTDIR\)\.$/m],
    ['backup', ['/sys/x'], {}, /^\/sys cannot be used: .* \(E[A-Z]+\)\.$/m],
    ['backup', [`HERE/${'x'.repeat(300)}`], {}, /cannot be used: .* \(ENAMETOOLONG\)\.$/m],
    ['backup', ['HERE/file'], {}, /^\S+\/file exists already\.$/m],
    ['restore', [], {}, /^Usage/],
    ['restore', ['HERE/missing'], {}, /^\S+\/missing cannot be used: it does not exist \(ENOENT\)\.$/m],
    ['restore', ['HERE/file'], {}, /^\S+\/file is damaged, or no backup/],
    ['restore', ['HERE/empty'], {}, /^\S+\/empty is damaged, or no backup/],
    ['restore', ['HERE/file'], { DATA_DIR: 'HERE/file' }, /^\S+\/file cannot be used: .* \(ENOTDIR\)\.$/m],
    ['audit:verify', ['--checkpoint'], {}, /^Option '--checkpoint <value>' argument missing\. Usage/],
    ['audit:verify', ['--checkpoint', 'HERE/missing'], {}, /^\S+ cannot be used: it does not exist \(ENOENT\)\.$/m],
    ['audit:verify', ['--checkpoint', 'HERE/empty'], {}, /^\S+ cannot be used: it is a folder \(EISDIR\)\.$/m],
    ['rotate-secret-key', [], {}, /^Set SECRET_KEY to the new key, and SECRET_KEY_PREVIOUS/],
  ];
}

/** What a database does not have, and keys that do not open it. */
function unknown(): Row[] {
  const keys = { SECRET_KEY: '1'.repeat(64), SECRET_KEY_PREVIOUS: '2'.repeat(64) };
  const wrong = /SECRET_KEY: is not the one that this database was set up with/;
  return [
    ['admin', ['reset-password', 'nobody@example.test'], {}, /^There is no user nobody@example\.test\.$/m],
    ['admin', ['reset-password', 'admin@example.test'], keys, wrong],
    ['audit:verify', ['--chain', 'nonsense'], {}, /^There is no entry in a chain nonsense\.$/m],
    ['audit:verify', ['--checkpoint', 'HERE/file'], {}, /^This installation has not signed that checkpoint\.$/m],
    ['audit:verify', [], keys, wrong],
    ['rotate-secret-key', [], keys, wrong],
  ];
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'file'), 'not a backup');
  return folder;
}
