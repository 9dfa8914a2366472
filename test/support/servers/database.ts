import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.js';
import { schema } from '../../../src/domains.js';
import { openDataFolder } from '../../../src/platform/database/data-folder.js';
import { openDatabase } from '../../../src/platform/database/database.js';
import type { Database } from '../../../src/platform/database/database.js';
import type { StartEmbeddedServer } from '../../../src/platform/database/embedded-database.js';
import { onServer, templateFolder, templateName, withDatabase } from './database-template.js';
import { returnEngine, takeEngine } from './embedded-engine.js';
import { silentLog } from '../probes/silent-log.js';

/** A migrated, empty database that one test file has for itself. */
export interface TestDatabase {
  /** What the server needs to open it: DATA_DIR, on a server DATABASE_URL and SECRET_KEY too. */
  readonly env: Record<string, string>;
  /** How this process opens an embedded one; undefined: as the server does. */
  readonly startEmbedded?: StartEmbeddedServer;
  /** Removes it; the server must be closed. */
  drop(): Promise<void>;
}

/** A test database that is open in this process. */
export interface OpenTestDatabase {
  readonly database: Database;
  readonly env: TestDatabase['env'];
  /** Closes and removes it. */
  close(): Promise<void>;
}

/** Makes a test database and opens it. */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  const { env, startEmbedded, drop } = await createTestDatabase();
  const database = await openDatabase(readConfig(env), schema, silentLog, startEmbedded);
  return { database, env, close: () => database.close().then(drop) };
}

/** Makes a test database for this process: on the server at TEST_DATABASE_URL where that is set, else an embedded one. */
export function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  return serverUrl ? cloneDatabase(serverUrl) : leaseEngine();
}

/** Makes a test database that other processes can open, too: an embedded one lies in its data folder. */
export function createTestDatabaseFolder(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  return serverUrl ? cloneDatabase(serverUrl) : copyFolder();
}

async function cloneDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `platform_test_${randomBytes(8).toString('hex')}`;
  // Copying its files takes a quarter of the time that writing its blocks to the log does, which is the default.
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  const url = withDatabase(serverUrl, name);
  return {
    env: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: folder },
    drop: async () => {
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function leaseEngine(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  const engine = await takeEngine();
  return {
    env: { DATA_DIR: folder },
    startEmbedded: async (dataDir) => {
      await openDataFolder(dataDir);
      return { socketFolder: engine.socketFolder, close: async () => undefined };
    },
    drop: async () => {
      await returnEngine(engine);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function copyFolder(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  // Ten times as fast as its asynchronous sibling on a thousand small files.
  cpSync(templateFolder, folder, { recursive: true });
  return { env: { DATA_DIR: folder }, drop: () => rm(folder, { recursive: true, force: true }) };
}
