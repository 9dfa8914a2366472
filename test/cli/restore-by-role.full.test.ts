import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { backupCommand } from '../../src/cli/commands/backup.js';
import { restoreCommand } from '../../src/cli/commands/restore.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { onServer, withDatabase } from '../support/servers/database-template.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { onPostgres } from '../support/servers/services.js';

onPostgres.describe('a database of a role that is no superuser, with extensions that a superuser has made', () => {
  const server = process.env.TEST_DATABASE_URL ?? '';
  const role = `platform_role_${randomBytes(4).toString('hex')}`;
  const made: string[] = [];
  let [platform, folder, file]: [Platform, string, string] = [] as never;

  beforeAll(prepare);
  afterAll(close);

  it('is restored into an empty one, whose tables belong to the role', async () => {
    const url = await createDatabase(EXTENSIONS);

    const restored = await restore(url);

    expect(restored).toEqual({ code: 0, output: expect.stringContaining('Restored') });
    expect(await rows(url, OWNERS)).toEqual([{ owner: role }]);
    expect(await rows(url, "SELECT id FROM labels WHERE name = 'LABEL 7'")).toEqual([{ id: 7 }]);
  });

  it('is restored over a later one with --force, and keeps its extensions', async () => {
    const { databaseUrl: url = '' } = platform.config;
    const before = await rows(server, MADE_BY, url);
    await platform.query('CREATE TABLE later (user_id text REFERENCES users (id))');
    await platform.query('DELETE FROM labels');

    const [refused, restored] = await platform.whileStopped(async () => [
      await restore(url),
      await restore(url, '--force'),
    ]);

    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('--force')]);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('Restored') });
    expect(await rows(url, "SELECT count(*)::integer AS labels, to_regclass('later') AS later FROM labels")).toEqual([
      { labels: 20_000, later: null },
    ]);
    expect(await rows(url, OWNERS)).toEqual([{ owner: role }]);
    expect(await rows(server, MADE_BY, url)).toEqual(before);
    expect((await platform.login()).user.email).toBe(platform.admin.email);
  });

  it('stays as it is where the bytes of the backup end too early', async () => {
    const { databaseUrl: url = '' } = platform.config;
    const damaged = join(folder, 'damaged');
    await copyFile(file, damaged);
    await truncate(damaged, Math.floor((await stat(file)).size / 2));

    const refused = await platform.whileStopped(() => restore(url, '--force', damaged));

    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('pg_restore failed')]);
    expect((await platform.login()).user.email).toBe(platform.admin.email);
  });

  it('is not put back to what a restore has replaced, and could not drop', async () => {
    const { databaseUrl: url = '' } = platform.config;
    const superuser = withDatabase(server, new URL(url).pathname.slice(1));
    for (const statement of KEEP_REPLACED) await onServer(superuser, statement);
    // The backup has the process that ran while it was made.
    await platform.query('DELETE FROM processes');
    await platform.query("INSERT INTO labels VALUES (0, 'replaced')");

    const restored = await platform.whileStopped(() => restore(url, '--force'));
    await onServer(superuser, 'DROP EVENT TRIGGER keep_replaced');
    await platform.query("INSERT INTO labels VALUES (-1, 'later')");
    const damaged = await platform.whileStopped(async () => {
      await rows(url, 'DELETE FROM processes');
      return restore(url, '--force', join(folder, 'damaged'));
    });

    expect(restored).toEqual({ code: 1, output: expect.stringContaining('The backup was restored. What') });
    expect([damaged.code, damaged.output]).toEqual([1, expect.stringContaining('pg_restore failed')]);
    expect(await rows(url, 'SELECT name FROM labels WHERE id < 1')).toEqual([{ name: 'later' }]);
  });

  it('is not restored where an extension is missing that the role may not make, which is named', async () => {
    const url = await createDatabase([]);

    const refused = await restore(url);

    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/extension "(bloom|pg_buffercache)"/)]);
    expect(await rows(url, OWNERS)).toEqual([]);
  });

  async function prepare(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'restore-by-role-'));
    file = join(folder, 'backup');
    await onServer(server, `CREATE ROLE ${role} LOGIN`);
    const url = await createDatabase(EXTENSIONS);
    platform = await startPlatform({}, async () => ({
      env: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: join(folder, 'data') },
      drop: async () => undefined,
    }));
    for (const statement of TABLE) await platform.query(statement);
    const { code, output } = await runCommand(backupCommand, databaseOf(platform), { args: [file] });
    if (code !== 0) throw new Error(output);
  }

  async function createDatabase(extensions: readonly string[]): Promise<string> {
    const name = `${role}_${made.length}`;
    await onServer(server, `CREATE DATABASE ${name} OWNER ${role}`);
    made.push(name);
    const superuser = withDatabase(server, name);
    for (const statement of OF_OTHERS) await onServer(superuser, statement);
    await onServer(superuser, `GRANT USAGE ON SCHEMA extensions TO ${role}`);
    for (const extension of extensions) await onServer(superuser, `CREATE EXTENSION ${extension}`);
    const url = new URL(superuser);
    url.username = role;
    return url.href;
  }

  function restore(url: string, force?: '--force', given = file) {
    const { env } = databaseOf(platform);
    const args = [given, ...(force ? [force] : [])];
    return runCommand(restoreCommand, { env: { ...env, DATABASE_URL: url } }, { args });
  }

  /** @param of whose database it is, where another user asks */
  async function rows(url: string, statement: string, of = url): Promise<unknown[]> {
    return (await onServer(withDatabase(url, new URL(of).pathname.slice(1)), statement)).rows as unknown[];
  }

  async function close(): Promise<void> {
    await platform.close();
    for (const name of made) await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await onServer(server, `DROP ROLE ${role}`);
    await rm(folder, { recursive: true });
  }
});

/** In place of pgvector: the first two only a superuser may make, the second has a kind of index, the third a type. */
const EXTENSIONS = ['pg_buffercache', 'bloom', 'citext', '"uuid-ossp"', 'pg_trgm SCHEMA extensions'];
/** Schemas of a superuser: the role may read nothing of the first, and is given the use of the second. */
const OF_OTHERS = [
  'CREATE SCHEMA private CREATE TABLE salaries (amount integer)',
  'CREATE SCHEMA extensions',
  'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO pg_monitor',
];
/** Lets nobody drop the schema with what was replaced. */
const KEEP_REPLACED = [
  `CREATE FUNCTION private.keep_replaced() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
     IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE object_type = 'schema' AND object_name ~ '^before_')
     THEN RAISE 'out of shared memory'; END IF;
   END $$`,
  'GRANT USAGE ON SCHEMA private TO public',
  'CREATE EVENT TRIGGER keep_replaced ON sql_drop EXECUTE FUNCTION private.keep_replaced()',
];
const TABLE = [
  'CREATE TABLE labels (id integer PRIMARY KEY, name citext NOT NULL)',
  'CREATE INDEX labels_id ON labels USING bloom (id)',
  'CREATE INDEX labels_name ON labels USING gin ((name::text) extensions.gin_trgm_ops)',
  "INSERT INTO labels SELECT n, 'Label ' || n FROM generate_series(1, 20000) n",
];
const OWNERS = `
  SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
  WHERE relnamespace IN ('public'::regnamespace, to_regnamespace('jobs')) AND relkind IN ('r', 'p', 'S')`;
const MADE_BY = 'SELECT extname AS name, pg_get_userbyid(extowner) AS owner FROM pg_extension ORDER BY extname';
