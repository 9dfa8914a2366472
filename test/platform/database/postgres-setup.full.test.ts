import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { describeFailure } from '../../../src/unhandled-errors.js';
import { Postgres } from '../../crash/servers.js';
import { COMMANDS } from '../../support/builders/commands.js';
import { silentLog } from '../../support/probes/silent-log.js';
import { runCommand } from '../../support/servers/command.js';
import { onPostgres } from '../../support/servers/services.js';

onPostgres.describe('the SQL of docs/operations.md', () => {
  let [folder, postgres, address]: [string, Postgres, URL] = [] as never;
  beforeAll(start);
  afterAll(() => postgres.close().then(() => rmSync(folder, { recursive: true })));

  it('makes a database of which the server is the owner, which can be restored too', async () => {
    psql('postgres', blocks()[0]);
    if (hasVectors()) psql('postgres', blocks()[1]);

    const health = await healthOf('platform');
    const file = join(folder, 'backup');
    const backup = await runCommand(COMMANDS.backup, { env: envOf('platform') }, { args: [file] });
    const restore = await runCommand(COMMANDS.restore, { env: envOf('platform') }, { args: [file, '--force'] });
    const again = await healthOf('platform');

    const checks = { database: 'ok', jobs: 'ok', vectors: hasVectors() ? 'ok' : 'off' };
    expect(health).toMatchObject(checks);
    expect([backup.code, restore.output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(again).toMatchObject(checks);
  });

  it('gives rights on a database of somebody else, of which that on the database is not enough', async () => {
    const [, , rights = ''] = blocks();
    await postgres.createDatabase('company');
    psql('postgres', 'DROP DATABASE IF EXISTS platform; DROP ROLE IF EXISTS platform;');
    const beforeSchema = rights.slice(0, rights.indexOf('\\connect'));
    psql('postgres', beforeSchema);

    const refused = await healthOf('company').catch(describeFailure);
    psql('postgres', rights.replace(beforeSchema, ''));
    const health = await healthOf('company');

    expect(refused).toMatch(/^The database server \S+ does not let the user .* docs\/operations\.md.* \(42501\)$/);
    expect(health).toMatchObject({ database: 'ok', jobs: 'ok' });
  });

  async function start(): Promise<void> {
    // PostgreSQL runs as another user, who may not enter the folder of the tests.
    folder = mkdtempSync('/tmp/postgres-setup-');
    chmodSync(folder, 0o755);
    postgres = await Postgres.start(join(folder, 'postgres'));
    address = new URL((await postgres.createDatabase('any')).url);
  }

  function psql(database: string, input = ''): string {
    const args = [
      '-X',
      '-q',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      Object.assign(new URL(address), { pathname: database }).href,
    ];
    return execFileSync('psql', args, { input, encoding: 'utf8' });
  }

  function hasVectors(): boolean {
    return psql('postgres', "SELECT name FROM pg_available_extensions WHERE name = 'vector';").trim() !== '';
  }

  function envOf(database: string): Record<string, string> {
    const url = Object.assign(new URL(address), { pathname: database, username: 'platform', password: 'any' });
    return {
      DATABASE_URL: url.href,
      SECRET_KEY: SECRET_KEY,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      SHUTDOWN_SECONDS: '4',
    };
  }

  /** Starts a server, and asks how it does. */
  async function healthOf(database: string): Promise<Record<string, string>> {
    const app = await createApp(readConfig(envOf(database)), silentLog);
    try {
      const response = await fetch(`${await app.listen()}/health`);
      return ((await response.json()) as { checks: Record<string, string> }).checks;
    } finally {
      await app.close();
    }
  }
});

const SECRET_KEY = randomBytes(32).toString('hex');

/** The blocks of SQL of the page, in order: role and database, extension, rights. */
function blocks(): string[] {
  const page = readFileSync('docs/operations.md', 'utf8');
  return [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, block = '']) => block);
}
