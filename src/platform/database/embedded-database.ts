import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { keepWebAssemblyCode } from '../web-assembly-code.js';
import { DATABASE, DRAFT, explained, explainFailedStart, hasDatabase, openDataFolder } from './data-folder.js';
import { lockFolder } from './embedded-database-lock.js';

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  /** The folder of its UNIX socket: the `host` of a `pg` client. */
  readonly socketFolder: string;
  /** Writes a checkpoint and stops; all clients must be gone. */
  close(): Promise<void>;
}

/** Starts the embedded PostgreSQL on the data folder of this process. */
export type StartEmbeddedServer = (dataDir: string, log: Logger) => Promise<EmbeddedServer>;

/** A UNIX socket's path may have about 100 bytes, and some systems have long temporary folders. */
const LONGEST_SOCKET_PARENT = 60;

/** How long the engine may take to start or to stop, in milliseconds: on a damaged folder it might never end. */
const START_MS = 60_000;

/**
 * Starts the embedded PostgreSQL on a data folder, made when missing, in a worker thread.
 * When the thread dies its socket closes, so that queries fail at once.
 * @throws OperationalError when another process holds the folder, or it cannot be used
 */
export async function startEmbeddedServer(
  dataDir: string,
  log: Logger,
  startMilliseconds = START_MS,
): Promise<EmbeddedServer> {
  await openDataFolder(dataDir);
  const lock = await explained(dataDir, () => lockFolder(dataDir));
  const socketParent = tmpdir().length <= LONGEST_SOCKET_PARENT ? tmpdir() : '/tmp';
  const socketFolder = await explained(socketParent, () => mkdtemp(join(socketParent, 'database-')));
  const cleanUp = async () => {
    await rm(socketFolder, { recursive: true, force: true });
    await lock.release();
  };
  const start = async (folder: string): Promise<Worker> => {
    const data = { folder: join(dataDir, folder), socketPath: join(socketFolder, '.s.PGSQL.5432') };
    const worker = newWorker(data);
    await startOf(worker, startMilliseconds).catch(async (error: unknown) => {
      await worker.terminate();
      throw await explainFailedStart(dataDir, reasonOf(error));
    });
    return worker;
  };
  try {
    if (!(await explained(dataDir, () => hasDatabase(dataDir)))) await makeDatabase(dataDir, start);
    const worker = await start(DATABASE);
    logWorkerExit(worker, log);
    return { socketFolder, close: () => stopWorker(worker).finally(cleanUp) };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Makes a database beside its place, where nothing that is cut off can be taken for one. */
async function makeDatabase(dataDir: string, start: (folder: string) => Promise<Worker>): Promise<void> {
  const draft = join(dataDir, DRAFT);
  await rm(draft, { recursive: true, force: true });
  try {
    await explained(dataDir, () => mkdir(draft, { mode: 0o700 }));
    await stopWorker(await start(DRAFT));
    await explained(dataDir, () => rename(draft, join(dataDir, DATABASE)));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

function newWorker(workerData: { readonly folder: string; readonly socketPath: string }): Worker {
  keepWebAssemblyCode();
  const file = new URL(`./embedded-database.worker${extname(import.meta.url)}`, import.meta.url);
  return new Worker(file, { workerData, execArgv: [] });
}

/** @throws Error where it does not start in time */
async function startOf(worker: Worker, milliseconds: number): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  try {
    const [first] = await Promise.race([once(worker, 'message', { signal }), once(worker, 'exit', { signal })]);
    if (first !== 'ready') throw new Error(`it ended with code ${first}`);
  } catch (error) {
    throw signal.aborted ? new Error(`it took longer than ${milliseconds / 1_000} s`) : error;
  }
}

/** The first sentence: the engine tells how to build it anew in the second one. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('. ')[0] as string) : 'it tells no reason';
}

function logWorkerExit(worker: Worker, log: Logger): void {
  worker.on('error', (error) => log.fatal({ err: error }, 'the embedded database has failed'));
  worker.on('exit', (code) => {
    if (code !== 0) log.fatal({ code }, 'the embedded database has stopped: start the server again');
  });
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const exited = once(worker, 'exit');
  const timer = setTimeout(() => void worker.terminate(), START_MS);
  worker.postMessage('close');
  await exited.finally(() => clearTimeout(timer));
}
