import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { bearer, callApi, makeApiToken, signIn } from './api.js';
import type { Contender, Running } from './comparison.js';
import type { Environment } from './environment.js';
import type { Target } from './load.js';

/** The administrator of every server of ours. */
export const account = { email: 'bench@localhost', password: randomBytes(16).toString('hex') };

/** What a server of ours has that is not as usual. */
export interface GatewayOptions {
  /** Default: PostgreSQL. */
  readonly database?: 'PostgreSQL' | 'embedded';
  /** What the caller presents; default: a JWT. */
  readonly credential?: 'JWT' | 'personal access token';
  /** `off`: nothing is written for a call. Default: `on`. */
  readonly ledger?: 'on' | 'off';
  /** The backends that serve the model, as BACKENDS_FILE names them; default: one, by OPENAI_BASE_URL. */
  readonly backends?: number;
  /** The folder of another build of the server, such as that of an earlier commit; default: this one. */
  readonly tree?: string;
  /** Further start-up variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** It shares all cores with the others, where what is measured needs several. Default: it has the first to itself. */
  readonly onAllCores?: boolean;
  /** What an administrator does before anything is measured. */
  prepare?(admin: Target): Promise<void>;
}

/** A server of ours; where it is on PostgreSQL, others can look into its database. */
export interface GatewayContender extends Contender {
  start(): Promise<Running & { readonly database: string }>;
}

/** A proxy that does nothing but pass on. */
export function bareProxy(environment: Environment): Contender {
  return {
    name: 'bare proxy',
    start: async () => {
      const upstream = await environment.upstream();
      const server = await environment.processes.serve({
        args: ['bench/bare-proxy.ts', upstream.origin],
        logFile: environment.path('proxy.log'),
        underTest: true,
      });
      return { server, target: { origin: server.origin, headers: {} }, stop: () => server.stop() };
    },
  };
}

/** This server as it is delivered, with an account and an empty database. */
export function gateway(environment: Environment, name: string, options: GatewayOptions = {}): GatewayContender {
  const { database = 'PostgreSQL', credential = 'JWT', ledger = 'on', tree = '.', settings, prepare } = options;
  const loaded = ledger === 'off' ? ['--import', './bench/without-ledger.ts'] : [];
  const profiling = environment.profile ? ['--cpu-prof', '--cpu-prof-dir=bench'] : [];
  return {
    name,
    start: async () => {
      const backends = await backendSettings(environment, options.backends);
      const data = await environment.dataPlace(database);
      const server = await environment.processes.serve({
        // As `npm start` does.
        args: [...loaded, ...profiling, '--max-semi-space-size=32', `${tree}/dist/main.js`],
        env: {
          ...data.settings,
          ...backends,
          PORT: '0',
          BUILTIN_BACKEND: 'false',
          BOOTSTRAP_ADMIN_EMAIL: account.email,
          BOOTSTRAP_ADMIN_PASSWORD: account.password,
          RATE_LIMIT_REQUESTS_PER_MINUTE: '10000000',
          SHUTDOWN_SECONDS: '5',
          ...settings,
        },
        logFile: environment.path('server.log'),
        underTest: options.onAllCores ? 'on all cores' : true,
      });
      const { origin } = server;
      const admin = bearer(origin, (await signIn(origin, account)).access_token);
      await prepare?.(admin);
      const target = credential === 'JWT' ? admin : bearer(origin, await makeApiToken(admin));
      const stop = async () => {
        await server.stop();
        await data.remove();
      };
      return { server, target, stop, database: data.settings.DATABASE_URL ?? '' };
    },
  };
}

async function backendSettings(environment: Environment, count?: number): Promise<Record<string, string>> {
  const { origins } = await environment.upstream();
  if (count === undefined) return { OPENAI_BASE_URL: `${origins[0]}/v1` };
  const backends = origins
    .slice(0, count)
    .map((origin, index) => ({ id: `gpu-${index}`, kind: 'openai', base_url: `${origin}/v1`, models: ['plain'] }));
  const file = environment.path('backends.json');
  writeFileSync(file, JSON.stringify({ backends }));
  return { BACKENDS_FILE: file };
}

/** Sets a sanitizer policy with all builtin kinds and 1,000 words for everybody, both ways. */
export async function setSanitizerPolicy(admin: Target): Promise<void> {
  const kinds = ['email', 'phone', 'credit_card', 'iban', 'ip', 'person_id'];
  const words = Array.from({ length: 1_000 }, (_, index) => `project codename ${index}`);
  const rules = [...kinds.map((kind) => ({ kind, action: 'mask' })), { kind: 'words', words, action: 'mask' }];
  const path = '/v1/admin/sanitizer/policies';
  await callApi(admin, { method: 'POST', path, body: { name: 'Bench', rules }, status: 201 });
}

/**
 * Sets a policy of so many patterns for the administrator's tenant. It allows `plain` by its last pattern only, so that
 * all others are tried first.
 */
export async function setModelPolicy(admin: Target, patterns: number): Promise<void> {
  const { data } = await callApi<{ data: { me: { tenant: { id: string } } } }>(admin, {
    method: 'POST',
    path: '/graphql',
    body: { query: '{ me { tenant { id } } }' },
  });
  const others = Array.from({ length: patterns / 2 - 1 }, (_, index) => `company-${index}-*`);
  const path = `/v1/admin/tenants/${data.me.tenant.id}/model-policy`;
  const body = { allow: [...others, 'pl*n'], deny: ['bur*', ...others.map((pattern) => `*-${pattern}`)] };
  await callApi(admin, { method: 'PUT', path, body });
  // What is denied is refused: the policy holds.
  await callApi(admin, {
    method: 'POST',
    path: '/v1/chat/completions',
    body: { model: 'burst', messages: [{ role: 'user', content: 'When is lunch?' }] },
    status: 409,
  });
}
