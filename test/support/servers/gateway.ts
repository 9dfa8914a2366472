import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAT } from '../builders/chat-request.js';
import type { createTestDatabase } from './database.js';
import { startPlatform } from './platform.js';
import type { Platform, RestAnswer, RestOptions } from './platform.js';
import { startScriptedBackend } from './scripted-backend.js';
import type { ScriptedBackend } from './scripted-backend.js';

/** A platform before scripted model servers whose model is `scripted`, and a token of its administrator. */
export class Gateway {
  constructor(
    readonly backends: readonly ScriptedBackend[],
    readonly platform: Platform,
    readonly token: string,
    private readonly folder: string,
  ) {}

  /** The model server where there is one, else the first of them. */
  get backend(): ScriptedBackend {
    return this.backends[0] as ScriptedBackend;
  }

  /** Requests that the model servers have received, all together. */
  get received(): number {
    return this.backends.reduce((sum, { requests }) => sum + requests.length, 0);
  }

  /** Asks as the administrator, unless there is another token. */
  request(method: string, path: string, options: RestOptions = {}): Promise<RestAnswer> {
    return this.platform.request(method, path, { token: this.token, ...options });
  }

  get(path: string, options?: RestOptions): Promise<RestAnswer> {
    return this.request('GET', path, options);
  }

  post(path: string, body: unknown, options?: RestOptions): Promise<RestAnswer> {
    return this.request('POST', path, { ...options, body });
  }

  /** Asks for a chat completion. @param members put over those of `CHAT` */
  chat(members: object = {}, options?: RestOptions): Promise<RestAnswer> {
    return this.post('/v1/chat/completions', { ...CHAT, ...members }, options);
  }

  /** Asks for a response, or to go on from one. @param path behind `/v1/responses` */
  respond(members: object = {}, path = '', options?: RestOptions): Promise<RestAnswer> {
    return this.post(`/v1/responses${path}`, { model: 'scripted', input: 'Hello?', ...members }, options);
  }

  graphql(query: string, variables?: Record<string, unknown>): Promise<RestAnswer> {
    return this.platform.graphql(query, variables, this.token);
  }

  async close(): Promise<void> {
    await this.platform.close();
    // A test may have closed one already.
    await Promise.all(this.backends.map((backend) => backend.close().catch(() => undefined)));
    rmSync(this.folder, { recursive: true });
  }
}

/** What a gateway is started with. */
export interface GatewayOptions {
  /** Model servers; default 1. */
  readonly servers?: number;
  /** What the model servers list as their models; default: `scripted`. */
  readonly models?: ScriptedBackend['models'];
  /**
   * What is put over the usual entry in the file of backends, for each backend; they go to the servers in turn.
   * Without any there is one, that of OPENAI_BASE_URL.
   */
  readonly backends?: readonly object[];
  /** Start-up variables beside those of backends. */
  readonly env?: Readonly<Record<string, string>>;
  /** `createTestDatabaseFolder` where the embedded database is to lie in the data folder. */
  readonly createDatabase?: typeof createTestDatabase;
}

/** Starts a platform before scripted model servers. */
export async function startGateway({
  servers = 1,
  models,
  backends,
  env = {},
  createDatabase,
}: GatewayOptions = {}): Promise<Gateway> {
  const scripted = await Promise.all(Array.from({ length: servers }, startScriptedBackend));
  for (const backend of scripted) if (models) backend.models = models;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const [first] = scripted as [ScriptedBackend];
  const entries = backends?.map((settings, index) => {
    const { url } = scripted[index % servers] as ScriptedBackend;
    return { id: 'scripted', kind: 'openai', base_url: url, models: ['scripted'], ...settings };
  });
  const file = join(folder, 'backends.json');
  writeFileSync(file, JSON.stringify({ backends: entries }));
  const platform = await startPlatform(
    { ...(entries ? { BACKENDS_FILE: file } : { OPENAI_BASE_URL: first.url }), ...env },
    createDatabase,
  );
  return new Gateway(scripted, platform, (await platform.login()).access_token, folder);
}
