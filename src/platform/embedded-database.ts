import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { lockFolder } from './embedded-database-lock.js';

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  /** The folder of its UNIX socket: the `host` of a `pg` client. */
  readonly socketFolder: string;
  /** Writes a checkpoint and stops; all clients must be gone. */
  close(): Promise<void>;
}

/** A UNIX socket's path may have about 100 bytes, and some systems have long temporary folders. */
const LONGEST_SOCKET_PARENT = 60;

/**
 * Starts the embedded PostgreSQL on a data folder, made when missing, in a worker thread.
 * When the thread dies its socket closes, so that queries fail at once.
 * @throws Error when another process holds the folder
 */
export async function startEmbeddedServer(dataDir: string, log: Logger): Promise<EmbeddedServer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  const socketParent = tmpdir().length <= LONGEST_SOCKET_PARENT ? tmpdir() : '/tmp';
  const socketFolder = await mkdtemp(join(socketParent, 'database-'));
  const tidyUp = async () => {
    await rm(socketFolder, { recursive: true, force: true });
    await lock.release();
  };
  try {
    const worker = await startWorker(join(dataDir, 'postgres'), join(socketFolder, '.s.PGSQL.5432'), log);
    return { socketFolder, close: () => stopWorker(worker).finally(tidyUp) };
  } catch (error) {
    await tidyUp();
    throw error;
  }
}

async function startWorker(folder: string, socketPath: string, log: Logger): Promise<Worker> {
  const file = new URL(`./embedded-database.worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { folder, socketPath }, execArgv: [] });
  const [first] = await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  if (first !== 'ready') throw new Error(`The embedded database did not start: exit code ${first}.`);
  worker.on('error', (error) => log.fatal({ err: error }, 'the embedded database has failed'));
  worker.on('exit', (code) => {
    if (code !== 0) log.fatal({ code }, 'the embedded database has stopped: start the server again');
  });
  return worker;
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const exited = once(worker, 'exit');
  worker.postMessage('close');
  await exited;
}

/** The installation's secret key where no SECRET_KEY is set: 32 bytes in the data folder, made at the first start. */
export async function embeddedSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret.key');
  await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o600, flush: true }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const key = await readFile(path);
  if (key.length !== 32) throw new Error(`${path} is damaged: it must have 32 bytes.`);
  return key;
}
