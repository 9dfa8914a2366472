import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
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
  beforeEach(empty);
  afterAll(() => postgres.close().then(() => rmSync(folder, { recursive: true })));

  it('makes a database of which the server is the owner', async () => {
    psql('postgres', blocks()[0]);
    if (hasVectors()) psql('postgres', blocks()[1]);

    const health = await healthOf('platform');
    const restored = await restoreItself('platform');
    const again = await healthOf('platform');

    const checks = { database: 'ok', jobs: 'ok', vectors: hasVectors() ? 'ok' : 'off' };
    expect([health, restored, again]).toEqual([
      expect.objectContaining(checks),
      RESTORED,
      expect.objectContaining(checks),
    ]);
  });

  it('gives rights on a database of somebody else, of which that on the database is not enough', async () => {
    const [onDatabase = '', onSchema = ''] = (blocks()[2] ?? '').split(/(?=\\connect)/);
    psql('postgres', 'CREATE DATABASE company');
    psql('postgres', onDatabase);

    const refused = await healthOf('company').catch(describeFailure);
    psql('postgres', onSchema);
    const health = await healthOf('company');
    const restored = await restoreItself('company');

    expect(refused).toMatch(/^The database server \S+ does not grant the user .* docs\/operations\.md.* \(42501\)$/);
    expect([health, restored]).toEqual([expect.objectContaining({ database: 'ok', jobs: 'ok' }), RESTORED]);
  });

  it.each([
    ['may not make the schema of jobs', '', /^The database does not let its user make the schema jobs.*\(42501\)$/],
    [
      'may not look into a schema of that name',
      'CREATE SCHEMA jobs; GRANT CREATE ON DATABASE company TO platform;',
      /^The database server does not grant the user .* docs\/operations\.md.* \(42501\)$/,
    ],
    [
      'may not change what is in a schema of that name',
      'CREATE SCHEMA jobs; CREATE TABLE jobs.version (at text); GRANT USAGE ON SCHEMA jobs TO platform;',
      /^The database does not let its user make the schema jobs, .* or change what is in it.*\(42501\)$/,
    ],
  ])('says in one line that the user %s', async (_what, sql, expected) => {
    psql('postgres', "CREATE DATABASE company; CREATE ROLE platform LOGIN PASSWORD 'any'");
    psql('company', `GRANT USAGE, CREATE ON SCHEMA public TO platform; ${sql}`);

    const line = await healthOf('company').catch(describeFailure);

    expect(line).toMatch(expected);
  });

  it('lets the server’s user restore a database with an extension that a superuser has made, as vector is', async () => {
    psql(
      'postgres',
      `${blocks()[0]} CREATE DATABASE elsewhere OWNER platform; CREATE DATABASE without OWNER platform;`,
    );
    for (const database of ['platform', 'elsewhere'])
      psql(database, 'CREATE EXTENSION citext; CREATE EXTENSION pg_buffercache;');
    await healthOf('platform');
    psql('platform', "SET ROLE platform; CREATE TABLE words (word citext); INSERT INTO words VALUES ('Lunch');");

    const restored = await restoreItself('platform', "UPDATE words SET word = 'dinner'");
    const file = join(folder, 'platform');
    const [moved, refused] = [await restore('elsewhere', file), await restore('without', file)];

    expect([restored, moved]).toEqual([RESTORED, RESTORED]);
    for (const database of ['platform', 'elsewhere']) {
      expect(psql(database, "SELECT word FROM words WHERE word = 'lunch'").trim()).toBe('Lunch');
      expect(await healthOf(database)).toMatchObject({ database: 'ok', jobs: 'ok' });
    }
    expect(refused).toMatch(/^The backup needs the extension pg_buffercache \(.*\)\. Let a superuser make it .*\n$/);
  });

  async function start(): Promise<void> {
    // PostgreSQL runs as another user, who may not enter the folder of the tests.
    folder = mkdtempSync('/tmp/postgres-setup-');
    chmodSync(folder, 0o755);
    postgres = await Postgres.start(join(folder, 'postgres'));
    address = new URL((await postgres.createDatabase('any')).url);
  }

  function empty(): void {
    for (const database of ['platform', 'company', 'elsewhere', 'without']) {
      psql('postgres', `DROP DATABASE IF EXISTS ${database}`);
      rmSync(join(folder, database), { force: true });
    }
    psql('postgres', 'DROP ROLE IF EXISTS platform');
  }

  /** Backs a database up, changes it, and restores it over itself. */
  async function restoreItself(database: string, change = 'SELECT'): Promise<string> {
    const file = join(folder, database);
    const { code, output } = await runCommand(COMMANDS.backup, { env: envOf(database) }, { args: [file] });
    if (code !== 0) return output;
    psql(database, change);
    return restore(database, file, '--force');
  }

  async function restore(database: string, ...args: string[]): Promise<string> {
    return (await runCommand(COMMANDS.restore, { env: envOf(database) }, { args })).output;
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
    const env = { ...process.env, PGOPTIONS: '-c client_min_messages=warning' };
    return execFileSync('psql', args, { input, encoding: 'utf8', env });
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

const RESTORED = expect.stringMatching(/^Restored from /);
const SECRET_KEY = randomBytes(32).toString('hex');

/** The blocks of SQL of the page, in order: role and database, extension, rights. */
function blocks(): string[] {
  const page = readFileSync('docs/operations.md', 'utf8');
  return [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, block = '']) => block);
}
