import { pino } from 'pino';
import { startEmbeddedServer } from '../../../src/platform/database/embedded-database.js';

/** A process that starts the embedded database in its DATA_DIR and keeps it until it is killed. */
await startEmbeddedServer(process.env.DATA_DIR ?? '', pino({ level: 'silent' }));
process.stdout.write('open\n');
