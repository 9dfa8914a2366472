import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { COMMANDS } from '../support/builders/commands.js';
import type { CommandName } from '../support/builders/commands.js';
import { runCommand } from '../support/servers/command.js';
import { onServer, withDatabase } from '../support/servers/database-template.js';
import { onPostgres } from '../support/servers/services.js';

onPostgres.describe('a command with a database of PostgreSQL that is not the server’s', () => {
  const name = `platform_test_${randomBytes(8).toString('hex')}`;
  const server = process.env.TEST_DATABASE_URL ?? '';
  let folder = '';
  beforeAll(prepare);
  afterAll(() => onServer(server, `DROP DATABASE ${name}`).then(() => rmSync(folder, { recursive: true })));

  it.each(Object.keys(COMMANDS) as CommandName[])('%s: there is no such database, or no such user', async (command) => {
    const stranger = Object.assign(new URL(server), { username: 'stranger', password: 'secret' });
    const urls = [withDatabase(server, 'nowhere'), stranger.href];

    const ended = [await run(command, urls[0] ?? ''), await run(command, urls[1] ?? '')];

    expect(ended).toEqual([
      { code: 1, output: expect.stringMatching(oneLine(command, 'does not have the database')) },
      { code: 1, output: expect.stringMatching(oneLine(command, 'refuses the user or the password')) },
    ]);
  });

  it.each(Object.keys(COMMANDS) as CommandName[])(
    '%s: no server has used it, and it stays as it is',
    async (command) => {
      const ended = await run(command, withDatabase(server, name));

      const { rows } = await onServer(
        withDatabase(server, name),
        'SELECT FROM pg_tables WHERE schemaname = $$public$$',
      );
      expect(ended).toEqual({
        code: 1,
        output: expect.stringMatching(oneLine(command, `No server has used the database ${name}`)),
      });
      expect([rows, readdirSync(folder)]).toEqual([[], ['file']]);
    },
  );

  async function prepare(): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'refusals-'));
    writeFileSync(join(folder, 'file'), 'not a backup');
    await onServer(server, `CREATE DATABASE ${name}`);
  }

  /** Each with arguments that are right; `restore` with a file that is no backup. */
  function run(command: CommandName, databaseUrl: string): ReturnType<typeof runCommand> {
    const args = {
      admin: ['reset-password', 'a@b.test', '--generate'],
      backup: [join(folder, 'new')],
      restore: [join(folder, 'file')],
    };
    const keys = { SECRET_KEY: '1'.repeat(64), SECRET_KEY_PREVIOUS: '2'.repeat(64) };
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), ...keys };
    return runCommand(COMMANDS[command], { env }, { args: args[command as keyof typeof args] });
  }

  /** What is wrong with the file is found before any database is asked. */
  function oneLine(command: CommandName, reason: string): RegExp {
    return command === 'restore' ? /^\S*pg_restore failed: .*valid archive.*\n$/ : new RegExp(`^.*${reason}.*\\n$`);
  }
});
