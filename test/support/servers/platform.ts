import { createApp } from '../../../src/app.js';
import type { App } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import type { Config } from '../../../src/config.js';
import type { StartEmbeddedServer } from '../../../src/platform/database/embedded-database.js';
import { createLog } from '../../../src/platform/telemetry/log.js';
import { cheapHash } from '../builders/cheap-hash.js';
import { createTestDatabase } from './database.js';
import type { TestDatabase } from './database.js';
import type { AnyJson } from '../probes/any-json.js';

/** The sign-in of every test's administrator. */
export const ADMIN = { email: 'admin@example.test', password: 'a long and winding road' } as const;

/** What a REST request may carry. */
export interface RestOptions {
  readonly token?: string;
  /** An object is sent as JSON, a form as multipart/form-data, a string or bytes as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request when it is aborted. */
  readonly signal?: AbortSignal;
  /** `manual` shows where a browser would be sent; it is followed unless told otherwise. */
  readonly redirect?: 'manual';
}

/** An answer with its body read: parsed where it is JSON. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnyJson;
}

/** The token pair as REST answers it. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string; readonly email: string };
}

/** Asks as one caller. */
export interface Client {
  request(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  get(path: string, options?: RestOptions): Promise<RestAnswer>;
  post(path: string, body?: unknown, options?: RestOptions): Promise<RestAnswer>;
  put(path: string, body?: unknown, options?: RestOptions): Promise<RestAnswer>;
  patch(path: string, body?: unknown, options?: RestOptions): Promise<RestAnswer>;
  delete(path: string, options?: RestOptions): Promise<RestAnswer>;
  graphql(query: string, variables?: Record<string, unknown>): Promise<RestAnswer>;
}

/** The real application on a free port, over a database of its own. */
export interface Platform {
  readonly url: string;
  readonly app: App;
  readonly config: Config;
  readonly admin: typeof ADMIN;
  /** How this process opens the embedded database; undefined: as the server does. */
  readonly startEmbedded?: StartEmbeddedServer;
  /** Every line that the server has logged. */
  readonly logLines: readonly string[];
  request(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  /** Sends a request whose answer is read by the test, as a stream is. */
  send(method: string, path: string, options?: RestOptions): Promise<Response>;
  graphql(query: string, variables?: Record<string, unknown>, token?: string): Promise<RestAnswer>;
  /** Asks with one credential. */
  as(token: string): Client;
  /** Asks the database. @param values of `$1` and so on */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Signs the administrator in. */
  login(): Promise<TokenPair>;
  /** Does at once what the server does by itself from time to time. @param name as it stands in the log */
  runTask(name: string): Promise<void>;
  /** Stops the server and starts it again over the same database; `url` changes. */
  restart(): Promise<void>;
  /**
   * Starts another server over the same database, which must be PostgreSQL; it is closed before this one.
   * @param served the domains; default: those of this one, as its data folder
   */
  startReplica(own?: { readonly served?: readonly string[]; readonly dataDir?: string }): Promise<Platform>;
  /** Stops the server, and starts it again when the work is done. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * @param env start-up variables beside the database's
 * @param createDatabase `createTestDatabaseFolder` where a process of its own opens the database, too
 */
export async function startPlatform(
  env: Readonly<Record<string, string>> = {},
  createDatabase = createTestDatabase,
): Promise<Platform> {
  const database = await createDatabase();
  const config = readConfig({
    PORT: '0',
    SHUTDOWN_SECONDS: '4',
    DISK_RESERVE_BYTES: '0',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...database.env,
    ...env,
  });
  const logLines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void logLines.push(line) });
  try {
    const app = await createApp(config, log, database.startEmbedded);
    const url = await app.listen().catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    if (env.BOOTSTRAP_ADMIN_PASSWORD === undefined) await cheapenSignIn(app);
    return new RunningPlatform({ app, url }, config, logLines, log, database);
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The administrator signs in hundreds of times. */
async function cheapenSignIn({ database }: App): Promise<void> {
  const change = 'UPDATE users SET password_hash = $1 WHERE email = $2';
  await database.dataSource.query(change, [cheapHash(ADMIN.password), ADMIN.email]);
}

class RunningPlatform implements Platform {
  readonly admin = ADMIN;

  constructor(
    private readonly running: { app: App; url: string },
    readonly config: Config,
    readonly logLines: readonly string[],
    private readonly log: Parameters<typeof createApp>[1],
    private readonly database: Pick<TestDatabase, 'startEmbedded' | 'drop'>,
  ) {}

  get url(): string {
    return this.running.url;
  }

  get startEmbedded(): StartEmbeddedServer | undefined {
    return this.database.startEmbedded;
  }

  get app(): App {
    return this.running.app;
  }

  async request(method: string, path: string, options?: RestOptions): Promise<RestAnswer> {
    const response = await this.send(method, path, options);
    return { status: response.status, headers: response.headers, body: await readBody(response) };
  }

  send(method: string, path: string, options: RestOptions = {}): Promise<Response> {
    const { token, body, headers, signal, redirect } = options;
    const isForm = body instanceof FormData;
    const raw = typeof body === 'string' || body instanceof Uint8Array || isForm;
    return fetch(this.url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
      signal,
      redirect,
    });
  }

  graphql(query: string, variables: Record<string, unknown> = {}, token?: string): Promise<RestAnswer> {
    return this.request('POST', '/graphql', { token, body: { query, variables } });
  }

  as(token: string): Client {
    return {
      request: (method, path, options) => this.request(method, path, { token, ...options }),
      get: (path, options) => this.request('GET', path, { token, ...options }),
      post: (path, body, options) => this.request('POST', path, { token, body, ...options }),
      put: (path, body, options) => this.request('PUT', path, { token, body, ...options }),
      patch: (path, body, options) => this.request('PATCH', path, { token, body, ...options }),
      delete: (path, options) => this.request('DELETE', path, { token, ...options }),
      graphql: (query, variables) => this.graphql(query, variables, token),
    };
  }

  query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.app.database.dataSource.query(sql, values);
  }

  async login(): Promise<TokenPair> {
    const { status, body } = await this.request('POST', '/v1/auth/login', { body: this.admin });
    if (status !== 200) throw new Error(`The administrator could not sign in: ${JSON.stringify(body)}`);
    return body as TokenPair;
  }

  async runTask(name: string): Promise<void> {
    const task = this.app.tasks.find((one) => one.name === name);
    if (!task) throw new Error(`The server has no task "${name}".`);
    await task.run();
  }

  async restart(): Promise<void> {
    await this.whileStopped(async () => undefined);
  }

  async whileStopped<T>(work: () => Promise<T>): Promise<T> {
    await this.app.close();
    const result = await work();
    this.running.app = await createApp(this.config, this.log, this.database.startEmbedded);
    this.running.url = await this.running.app.listen();
    return result;
  }

  async startReplica({ served = this.config.domains, dataDir = this.config.dataDir } = {}): Promise<Platform> {
    const config = { ...this.config, domains: served, dataDir } as Config;
    const app = await createApp(config, this.log);
    const running = { app, url: await app.listen() };
    return new RunningPlatform(running, config, this.logLines, this.log, { drop: async () => undefined });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return text !== '' && /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}
