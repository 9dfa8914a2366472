/** Builds an index of the database at DATABASE_URL, as argv says, until it is killed. */
import 'reflect-metadata';
import { readConfig } from '../../../src/config.js';
import { IndexBuilder } from '../../../src/knowledge/index/index-builder.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import { silentLog } from '../probes/silent-log.js';
import { schema } from '../../../src/domains.js';

const database = await openDatabase(readConfig(process.env), schema, silentLog);
await new IndexBuilder(database, 64).build(JSON.parse(process.argv[2] ?? ''), new AbortController().signal);
