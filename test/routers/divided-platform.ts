import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Replica } from '../crash/replica.js';
import { buildServer } from '../support/servers/built-server.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import type { TestDatabase } from '../support/servers/database.js';
import { startScriptedBackend } from '../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../support/servers/scripted-backend.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { Router } from './router.js';

const ROOT = join(import.meta.dirname, '../..');

/** The domains, each served by a process of its own. */
export const DOMAINS = ['identity', 'audit', 'metering', 'inference', 'sanitizer', 'operations'] as const;

/** Six processes over one database, each with one domain, behind a router; a scripted model server behind them. */
export class DividedPlatform {
  private constructor(
    readonly router: Router,
    readonly backend: ScriptedBackend,
    /** By domain. */
    readonly servers: ReadonlyMap<string, Replica>,
    private readonly database: TestDatabase,
    private readonly folder: string,
  ) {}

  /** What is not there that it needs: PostgreSQL, since the embedded database serves one process, and the router. */
  static get missing(): readonly string[] {
    return [
      process.env.TEST_DATABASE_URL ? '' : 'a PostgreSQL at TEST_DATABASE_URL',
      Router.isInstalled ? '' : 'the router (npm run routers:install)',
    ].filter(Boolean);
  }

  static async start(): Promise<DividedPlatform> {
    await buildServer();
    const [database, backend] = [await createTestDatabaseFolder(), await startScriptedBackend()];
    const folder = await mkdtemp(join(tmpdir(), 'divided-'));
    const service = newServiceKey();
    const env = { ...database.env, ...service.env, OPENAI_BASE_URL: backend.url, NODE_ENV: 'production' };
    const servers = DOMAINS.map((name) => [name, new Replica(name, folder, { ...env, DOMAINS: name })] as const);
    const addresses = await Promise.all(
      servers.map(async ([name, server]) => `${name}=${(await server.start()).origin}/graphql`),
    );
    const supergraph = join(folder, 'supergraph.graphql');
    await writeFile(supergraph, await compose(addresses, service.key));
    const router = await Router.start(supergraph, await freePort());
    return new DividedPlatform(router, backend, new Map(servers), database, folder);
  }

  async close(): Promise<void> {
    await this.router.stop();
    await Promise.all([...this.servers.values()].map((server) => server.kill()));
    await this.backend.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What `npm run supergraph` writes. @throws Error with what it says where it cannot */
async function compose(addresses: readonly string[], serviceKey: string): Promise<string> {
  const args = ['--import', 'tsx', 'scripts/compose-supergraph.ts', ...addresses];
  const env = { ...process.env, SERVICE_KEY: serviceKey };
  return (await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })).stdout;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
