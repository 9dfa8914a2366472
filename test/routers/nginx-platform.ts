import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import type { FormData, Headers } from 'undici';
import WebSocket from 'ws';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { freePort } from '../crash/servers.js';
import { eventually } from '../support/probes/eventually.js';
import { silentLog } from '../support/probes/silent-log.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { startNginx } from '../support/servers/own-nginx.js';
import { ADMIN } from '../support/servers/platform.js';
import { TLS_ENV } from '../support/servers/tls.js';

const PAGE = readFileSync('docs/operations.md', 'utf8');

interface Sent {
  readonly token?: string;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** The processes that docs/operations.md divides the domains between, over one database, behind its nginx. */
export class NginxPlatform {
  private constructor(
    private readonly url: string,
    private readonly parts: AsyncDisposableStack,
  ) {}

  static async start(): Promise<NginxPlatform> {
    await using parts = new AsyncDisposableStack();
    const database = await createTestDatabaseFolder();
    parts.defer(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
    parts.defer(() => rm(folder, { recursive: true }));
    const env = {
      ...database.env,
      BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
      BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      PUBLIC_URL: 'https://ai.example.com',
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_SECONDS: '4',
    };
    const ports = new Map<string, string>();
    for (const [, domains = '', port = ''] of PAGE.matchAll(/^DOMAINS=(\S+) +PORT=(\d+) /gm)) {
      const dataDir = join(folder, `data-${port}`);
      const app: App = await createApp(
        readConfig({ ...env, DOMAINS: domains, PORT: '0', DATA_DIR: dataDir }),
        silentLog,
      );
      parts.defer(() => app.close());
      ports.set(port, new URL(await app.listen()).port);
    }
    // The first process stands in for the router.
    ports.set('4000', [...ports.values()][0] ?? '');
    const port = await freePort();
    const nginx = await startNginx(folder, httpOf(port, ports));
    parts.defer(() => nginx.close());
    const url = `https://localhost:${port}`;
    const answers = async () => (await send(url, 'GET', '/health')).status === 200;
    await eventually('nginx answers', 10, answers);
    return new NginxPlatform(url, parts.move());
  }

  request(method: string, path: string, sent?: Sent): Promise<Answer> {
    return send(this.url, method, path, sent);
  }

  async login(): Promise<string> {
    const { text } = await this.request('POST', '/v1/auth/login', { body: ADMIN });
    return (JSON.parse(text) as { access_token: string }).access_token;
  }

  socket(path: string, token: string): WebSocket {
    const protocols = path === '/graphql' ? ['graphql-transport-ws'] : [];
    const headers = { authorization: `Bearer ${token}` };
    return new WebSocket(this.url + path, protocols, { headers, ca: readFileSync(TLS_ENV.TLS_CERT_FILE) });
  }

  close(): Promise<void> {
    return this.parts.disposeAsync();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(url: string, method: string, path: string, { token, body, form }: Sent = {}): Promise<Answer> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const sent = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const dispatcher = new Agent({ connect: { ca: readFileSync(TLS_ENV.TLS_CERT_FILE) } });
  const response = await fetch(url + path, { method, headers, body: sent, dispatcher });
  const text = await response.text();
  await dispatcher.close();
  return { status: response.status, headers: response.headers, text };
}

/** The block of the page with the files, the certificate and the ports of this test. */
function httpOf(port: number, ports: ReadonlyMap<string, string>): string {
  const [, block = ''] = /```nginx\n([^]*?)```/.exec(PAGE) ?? [];
  return block
    .replaceAll('/opt/platform/', `${process.cwd()}/`)
    .replaceAll(/127\.0\.0\.1:(\d+)/g, (_all, given: string) => `127.0.0.1:${ports.get(given)}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/ai.example.com.pem', TLS_ENV.TLS_CERT_FILE)
    .replace('/etc/ssl/ai.example.com.key', TLS_ENV.TLS_KEY_FILE);
}
