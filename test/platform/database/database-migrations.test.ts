import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { OperationalError } from '../../../src/platform/operational-error.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { onPostgres } from '../../support/servers/services.js';
import { silentLog } from '../../support/probes/silent-log.js';

let place: TestDatabase;

beforeEach(async () => {
  place = await createTestDatabaseFolder();
});

afterEach(() => place.drop());

const open = () => openDatabase(readConfig(place.env), schema, silentLog);

test('the migrations make exactly the schema that the entities describe', async () => {
  const database = await open();

  const changes = await database.dataSource.driver.createSchemaBuilder().log();
  await database.close();

  expect(changes.upQueries.map((query) => query.query)).toEqual([]);
});

test('a database that a newer version has migrated is not served', async () => {
  const newer = await open();
  await newer.dataSource.query("INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')");
  await newer.close();

  await expect(open()).rejects.toThrow('migrated by a newer version (Later1999999999999)');
});

test('a database of a version before the first release is not served, and one line says what to do', async () => {
  const earlier = await open();
  const { dataSource } = earlier;
  await dataSource.query('DELETE FROM migrations');
  await dataSource.query(
    `INSERT INTO migrations (timestamp, name)
     VALUES (1763600000000, 'Identity1763600000000'), (1763600000006, 'RecoveredCalls1763600000006')`,
  );
  await earlier.close();

  const refusals = [await open().catch((error: unknown) => error), await open().catch((error: unknown) => error)];

  const refusal = new OperationalError(
    'The database was made by a version before the first release, which this one cannot take over: start with an ' +
      'empty database (another DATABASE_URL) or an empty data folder (another DATA_DIR).',
  );
  expect(refusals).toEqual([refusal, refusal]);
});

test('a migration that fails leaves nothing behind', async () => {
  const earlier = await open();
  await earlier.dataSource.query('DELETE FROM migrations');
  await earlier.close();

  await expect(open()).rejects.toThrow('already exists');
  await expect(open()).rejects.toThrow('already exists');
});

onPostgres.it('replicas that start at once migrate an empty database one after another', async () => {
  const earlier = await open();
  await earlier.dataSource.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await earlier.close();

  const replicas = await Promise.all([open(), open(), open()]);
  const rows: unknown[] = await replicas[0].dataSource.query('SELECT name FROM migrations ORDER BY id');
  await Promise.all(replicas.map((replica) => replica.close()));

  const names = schema.migrations.map(({ name }) => name);
  const byStamp = names.toSorted((one, other) => one.slice(-13).localeCompare(other.slice(-13)));
  expect(rows).toEqual(byStamp.map((name) => ({ name })));
});
