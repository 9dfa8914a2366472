/**
 * The worker thread of the embedded database: PGlite behind a UNIX socket. Every runner loads this file as it is
 * (jest and tsx let Node strip the types), so it imports nothing local and uses erasable syntax only.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** The message that ends an error: until it comes, PostgreSQL ignores everything else. */
const SYNC = new Uint8Array([0x53, 0, 0, 0, 4]);

/** The status with which PGlite leaves PostgreSQL after an ordinary error; any other is the end of it. */
const ERROR_STATUS = 100;

const { folder, socketPath } = workerData as { folder: string; socketPath: string };

const database = await PGlite.create(folder, { extensions: { vector } });
stopOnCrash(database);
// One connection is in use; the others let it reconnect while the server still tidies up after a lost one.
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 4 });
// A client that died between its error and its Sync would leave the one session deaf for every later client.
server.addEventListener('connection', () => {
  void database.runExclusive(() => database.execProtocolRawStream(SYNC, { onRawData: () => undefined }));
});
await server.start();

parentPort?.once('message', async () => {
  await server.stop();
  await database.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');

/** PGlite takes a panic of PostgreSQL for an error that it can go on from, and calls it again for ever. */
function stopOnCrash({ Module: postgres }: PGlite): void {
  const loopOnce = postgres._PostgresMainLoopOnce;
  postgres._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      if ((error as { status?: number }).status !== ERROR_STATUS) process.exit(1);
      throw error;
    }
  };
}
