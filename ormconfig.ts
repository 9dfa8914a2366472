import 'reflect-metadata';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { readConfig } from './src/config.js';
import { schema } from './src/domains.js';
import { maintenanceOptions } from './src/platform/database/data-source.js';

const { databaseUrl } = readConfig();
if (!databaseUrl)
  throw new Error('Set DATABASE_URL (and SECRET_KEY): the server migrates the embedded database itself.');

/** What TypeORM's command line works on. The server runs pending migrations itself when it starts. */
export const dataSource = new DataSource(maintenanceOptions(databaseUrl, schema, pino({ level: 'debug' })));
