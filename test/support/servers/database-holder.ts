import 'reflect-metadata';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDatabase } from '../../../src/platform/database/database.js';

/** A process that opens the embedded database of its environment and keeps it until it is killed. */
await openDatabase(readConfig(), schema, pino({ level: 'silent' }));
process.stdout.write('open\n');
