/**
 * A process that stores blobs until it is killed: `blob-process.ts COMMAND`, with the environment of a server. It runs
 * what is built, and nothing has to be compiled for it but its types left out, which Node does itself. It says
 * `ready` on standard output when it has come where it is to be killed, where it does not do so itself. The table
 * `uses` has the key of each blob that it has kept.
 */
import 'reflect-metadata';
import { randomBytes, randomInt } from 'node:crypto';
import type { EntityManager } from 'typeorm';

const { readConfig } = await built<typeof import('../../../src/config.js')>('config.js');
const { schema } = await built<typeof import('../../../src/domains.js')>('domains.js');
const { Blobs } = await built<typeof import('../../../src/platform/blobs/blobs.js')>('platform/blobs/blobs.js');
const { ProcessLease } = await built<Lease>('platform/cluster/process-lease.js');
const { openDatabase } = await built<Opening>('platform/database/database.js');
const { DiskSpace } = await built<Disk>('platform/scratch/disk-space.js');
const { createLog } = await built<typeof import('../../../src/platform/telemetry/log.js')>('platform/telemetry/log.js');

type Lease = typeof import('../../../src/platform/cluster/process-lease.js');
type Disk = typeof import('../../../src/platform/scratch/disk-space.js');
type Opening = typeof import('../../../src/platform/database/database.js');

const OWNER = { tenantId: 'ten_1', userId: 'usr_1' } as const;
const LIMITS = { tenantBytes: null, userBytes: null } as const;
const MIB = 1024 * 1024;
const PIECE = 64 * 1024;
/** How often garbage is collected, where that can be asked for: how much of it lies about is the engine's choice. */
const COLLECTED = 8 * MIB;

const config = readConfig(process.env);
const log = createLog('fatal', process.stderr);
const database = await openDatabase(config, schema, log);
const lease = new ProcessLease(database, log);
await lease.start();
const blobs = await Blobs.open({ config, database, lease, disk: new DiskSpace(0, log), log });
await database.dataSource.query('CREATE TABLE IF NOT EXISTS uses (key text)');

const commands: Record<string, () => Promise<void>> = {
  async 'in the middle of a write'() {
    await write(endlessAfter(8 * MIB));
  },
  async 'between write and keep'() {
    await write(bytes(8 * MIB));
    die();
  },
  async 'before the commit of a keep'() {
    const { key } = await write(bytes(MIB));
    await transaction(async (tx) => {
      await use(tx, key);
      die();
    });
  },
  async 'between release and deletion'() {
    const { key } = await write(bytes(8 * MIB));
    await transaction((tx) => use(tx, key));
    await transaction((tx) => unuse(tx, key));
    die();
  },
  async 'at any time'() {
    say('ready');
    for (const keys: string[] = []; ;) {
      const written = await Promise.all([1, 2, 3].map(() => write(bytes(randomInt(7 * MIB)))));
      const [discarded, ...kept] = written.map(({ key }) => key);
      await transaction((tx) => use(tx, ...kept));
      await blobs.discard([discarded as string]);
      keys.push(...kept);
      if (keys.length > 4) await transaction((tx) => unuse(tx, ...keys.splice(0, 3)));
    }
  },
  async 'never, and tells its memory'() {
    // The embedded database takes what it needs itself.
    await blobs.discard([(await write(bytes(256 * MIB))).key]);
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const begun = performance.now();
    const { key, sizeBytes } = await write(bytes(256 * MIB));
    const writeMs = Math.round(performance.now() - begun);
    const writeBytes = most - before;
    most = 0;
    await transaction((tx) => use(tx, key));
    let read = 0;
    const signal = new AbortController().signal;
    for await (const piece of (await blobs.open(key, { signal })) ?? []) {
      if (Math.floor(read / COLLECTED) < Math.floor((read += piece.byteLength) / COLLECTED)) globalThis.gc?.();
    }
    clearInterval(timer);
    say(JSON.stringify({ sizeBytes, writeBytes, writeMs, read, readBytes: most - before }));
    process.exit(0);
  },
};
await commands[process.argv[2] ?? '']?.();

async function built<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../../dist/${path}`, import.meta.url).href)) as Module;
}

function write(source: AsyncIterable<Uint8Array>) {
  const signal = new AbortController().signal;
  return blobs.write(OWNER, { kind: 'test', maxBytes: 1024 * MIB, limits: LIMITS, signal }, source);
}

function transaction(work: (tx: EntityManager) => Promise<void>): Promise<void> {
  return database.dataSource.transaction(work);
}

async function use(tx: EntityManager, ...keys: string[]): Promise<void> {
  await tx.query('INSERT INTO uses (key) SELECT unnest($1::text[])', [keys]);
  await blobs.keep(tx, keys);
}

async function unuse(tx: EntityManager, ...keys: string[]): Promise<void> {
  await tx.query('DELETE FROM uses WHERE key = ANY($1)', [keys]);
  await blobs.release(tx, keys);
}

/** New pieces each time, as a connection gives them. */
async function* bytes(size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= PIECE) {
    if (left % COLLECTED === 0) globalThis.gc?.();
    yield randomBytes(Math.min(left, PIECE));
  }
}

async function* endlessAfter(size: number): AsyncGenerator<Buffer> {
  yield* bytes(size);
  say('ready');
  await new Promise(() => undefined);
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
