/**
 * The worker thread of the embedded database: PGlite behind a UNIX socket. Every runner loads this file as it is
 * (jest and tsx let Node strip the types), so it imports nothing local and uses erasable syntax only.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** Messages that begin with a length and a number: the start of a session, and what comes before it. */
const STARTUP = { session: 196_608, cancel: 80_877_102, ssl: 80_877_103, gss: 80_877_104 } as const;
const TERMINATE = byteOf('X');
/** Parse, Bind, Describe, Execute, Close: nothing is answered to them before the Sync or Flush that follows. */
const UNANSWERED = new Set(['P', 'B', 'D', 'E', 'C'].map(byteOf));
/** The message that ends an error: until it comes, PostgreSQL ignores everything else. */
const SYNC = Buffer.from([byteOf('S'), 0, 0, 0, 4]);
const ROLLBACK = Buffer.from('Q\0\0\0\x0dROLLBACK\0', 'latin1');

/** The status with which PGlite leaves PostgreSQL after an ordinary error; any other is the end of it. */
const ERROR_STATUS = 100;

/** A client, and what it has sent that was not run yet. */
interface Connection {
  readonly socket: Socket;
  received: Buffer;
  /** What has come since; it is joined to the rest when a message is whole, since one may have many megabytes. */
  later: Buffer[];
  laterBytes: number;
  /** The bytes up to the end of a message that is not whole. */
  wantedBytes: number;
  hasBegun: boolean;
}

const { folder, socketPath } = workerData as { folder: string; socketPath: string };

const database = await PGlite.create(folder, { extensions: { vector } });
stopOnCrash(database);
const connections = new Set<Connection>();
/** PGlite has one session. Whose transaction is open there has it alone; the others wait. */
let owner: Connection | undefined;
const server = createServer(serve);
server.listen(socketPath, () => parentPort?.postMessage('ready'));

parentPort?.once('message', async () => {
  server.close();
  for (const { socket } of connections) socket.removeAllListeners('close').destroy();
  await database.close();
  parentPort?.close();
});

function serve(socket: Socket): void {
  const received = Buffer.alloc(0);
  const connection: Connection = { socket, received, later: [], laterBytes: 0, wantedBytes: 0, hasBegun: false };
  connections.add(connection);
  socket.on('data', (bytes) => {
    connection.later.push(bytes);
    connection.laterBytes += bytes.length;
    if (connection.received.length + connection.laterBytes >= connection.wantedBytes) runAll(connection);
  });
  // What follows is `close`.
  socket.on('error', () => undefined);
  socket.on('close', () => leave(connection));
}

/** Runs what has come from a client as far as it can be, and then what others have sent meanwhile. */
function runAll(connection: Connection): void {
  const wasWaitedFor = owner === connection;
  while (owner === undefined || owner === connection) {
    const messages = nextMessages(connection);
    if (!messages) break;
    run(connection.socket, messages);
    owner = database.isInTransaction() ? connection : undefined;
  }
  if (wasWaitedFor && owner === undefined) for (const other of connections) runAll(other);
}

/** A client that died may have left a transaction, or an error whose Sync never came. */
function leave(connection: Connection): void {
  connections.delete(connection);
  if (owner !== undefined && owner !== connection) return;
  owner = undefined;
  run(connection.socket, SYNC);
  if (database.isInTransaction()) run(connection.socket, ROLLBACK);
  for (const other of connections) runAll(other);
}

/**
 * Takes the next messages that are answered together: the five of a statement are run as one, since a run costs as much as
 * a short statement.
 * @returns undefined where they have not come yet
 */
function nextMessages(connection: Connection): Buffer | undefined {
  const { socket, received } = joined(connection);
  if (!connection.hasBegun) return nextOfStartup(connection);
  for (let at = 0; received.length >= at + 5;) {
    const type = received[at] as number;
    const end = at + 1 + received.readUInt32BE(at + 1);
    if (type === TERMINATE) {
      socket.end();
      return undefined;
    }
    connection.wantedBytes = end;
    if (end > received.length) return undefined;
    if (!UNANSWERED.has(type)) return take(connection, end);
    at = end;
  }
  return undefined;
}

/** A connection to a file needs no encryption, and a query of the one session cannot be cancelled. */
function nextOfStartup(connection: Connection): Buffer | undefined {
  const { socket, received } = connection;
  if (received.length < 8) return undefined;
  const [length, kind] = [received.readUInt32BE(0), received.readUInt32BE(4)];
  if (received.length < length) return undefined;
  connection.hasBegun = kind === STARTUP.session;
  const message = take(connection, length);
  if (connection.hasBegun) return message;
  if (kind === STARTUP.ssl || kind === STARTUP.gss) socket.write('N');
  else socket.end();
  return nextMessages(connection);
}

function joined(connection: Connection): Connection {
  const { received, later } = connection;
  if (later.length > 0) connection.received = Buffer.concat([received, ...later]);
  [connection.later, connection.laterBytes] = [[], 0];
  return connection;
}

function take(connection: Connection, length: number): Buffer {
  const { received } = connection;
  connection.received = received.subarray(length);
  connection.wantedBytes = 0;
  return received.subarray(0, length);
}

/** Runs messages, and writes the answers. They are run at once: the promise is for a file system that this is not. */
function run(socket: Socket, messages: Buffer): void {
  socket.cork();
  // PGlite uses the memory of an answer for the next one.
  const onRawData = (bytes: Uint8Array) => socket.writable && socket.write(Uint8Array.from(bytes));
  database.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch(() => socket.destroy());
  socket.uncork();
}

function byteOf(letter: string): number {
  return letter.charCodeAt(0);
}

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
