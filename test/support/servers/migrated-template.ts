import 'reflect-metadata';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { VectorExtension } from '../../../src/knowledge/index/vector-extension.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { makeJobTables } from '../../../src/platform/jobs/job-tables.js';
import { silentLog } from '../probes/silent-log.js';

/** Makes all tables in an empty database. */
export async function migrateTemplate(env: NodeJS.ProcessEnv): Promise<void> {
  const database = await openDatabase(readConfig(env), schema, silentLog);
  await makeJobTables(database.dataSource);
  await VectorExtension.open(database.dataSource, silentLog);
  await database.close();
}
