import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.join('// or ')}//`,
  });
const cidrs = list.refine((parts) => parts.every(isCidr), {
  message: 'must be addresses or CIDRs, separated by commas',
});

/** Ports and ranges, such as `80,443,1024-65535`. */
const ports = list
  .refine((parts) => parts.length > 0 && parts.every((part) => isPortRange(part)), {
    message: 'must be ports and ranges from 1 to 65535, separated by commas, such as 80,443,1024-65535',
  })
  .transform((parts) => parts.map(toPortRange));

/** `key_<id>:<hex SHA-256 of the part after the dot>`. */
const SERVICE_KEY = /^key_[\w-]{1,64}:[0-9a-fA-F]{64}$/;
const serviceKeys = list
  .superRefine((entries, context) => {
    const ids = entries.map((entry) => entry.split(':')[0]);
    for (const [index, entry] of entries.entries()) {
      // The entry itself is not told: it may be a secret in the wrong place.
      const problem = !SERVICE_KEY.test(entry)
        ? 'must be key_<id>:<64 hex digits, the SHA-256 of the part after the dot>'
        : ids.indexOf(ids[index]) < index && 'has the id of another key';
      if (problem) context.addIssue({ code: 'custom', message: `key ${index + 1} ${problem}` });
    }
  })
  .transform((entries) =>
    entries.map((entry) => {
      const [id = '', secretHash = ''] = entry.split(':');
      return { id, secretHash: Buffer.from(secretHash, 'hex') };
    }),
  );

const planLimits = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.partialRecord(
      z.enum(['free', 'team', 'enterprise']),
      z
        .strictObject({
          requests_per_minute: whole(0, 10_000_000).default(0),
          tokens_per_minute: whole(0, 10_000_000_000).default(0),
          streams: whole(0, 1_000_000).default(0),
        })
        .transform((limits) => ({
          requestsPerMinute: limits.requests_per_minute,
          tokensPerMinute: limits.tokens_per_minute,
          streams: limits.streams,
        })),
    ),
  );

const MEBIBYTE = 1024 * 1024;

/** Every variable that the server reads. `.env.example` lists the same ones with the same defaults. */
const variables = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: whole(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url('http:', 'https:').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole(1, 1_000).default(10),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  SECRET_KEY: z.string().optional(),
  DOMAINS: list.optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.string().default('admin@localhost'),
  BOOTSTRAP_ADMIN_PASSWORD: z.string().min(12).max(256).optional(),
  SERVICE_KEYS: serviceKeys.default([]),
  BACKENDS_FILE: z.string().optional(),
  OPENAI_BASE_URL: url('http:', 'https:').optional(),
  OPENAI_API_KEY: z.string().optional(),
  BUILTIN_BACKEND: flag.default(true),
  DISCOVER_BACKENDS: flag.default(false),
  EGRESS_ALLOW: cidrs.default([]),
  EGRESS_PORTS: ports.optional(),
  TRUST_PROXY: cidrs.default([]),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  ALLOW_PLAINTEXT: flag.default(false),
  ALLOWED_ORIGINS: list.default([]),
  SHUTDOWN_SECONDS: whole(1, 3_600).default(30),
  MAX_STREAMS: whole(1, 1_000_000).default(10_000),
  MAX_JSON_BYTES: whole(1_024, 1_024 * MEBIBYTE).default(10 * MEBIBYTE),
  RATE_LIMIT_REQUESTS_PER_MINUTE: whole(0, 10_000_000).default(600),
  RATE_LIMIT_TOKENS_PER_MINUTE: whole(0, 10_000_000_000).default(0),
  RATE_LIMIT_STREAMS: whole(0, 1_000_000).default(0),
  RATE_LIMIT_PLANS: planLimits.default({}),
  QUOTA_TOKENS_PER_MONTH: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  RESERVED_TOKENS_PER_MEDIA_PART: whole(1, 10_000_000).default(4_096),
  USAGE_CALLS_RETENTION_DAYS: whole(0, 36_500).default(400),
  USAGE_HOURS_RETENTION_DAYS: whole(0, 36_500).default(0),
  RESPONSE_CONTEXT_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(256 * MEBIBYTE),
  SIGNING_KEY_DAYS: whole(1, 3_650).default(90),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** The names of all variables, for the test that keeps `.env.example` equal. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

/** How much a user or a tenant may ask for; 0: no limit. */
export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  /** At once. */
  readonly streams: number;
}

/** The server's settings. Units are in the names; what is undefined was not set. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly databasePoolSize: number;
  /** What replicas share beside the database; undefined: this process's memory. */
  readonly redisUrl?: string;
  /** 32 bytes; undefined only with the embedded database, which keeps its own in the data folder. */
  readonly secretKey?: Buffer;
  /** The domains whose resolvers and REST documents are served; undefined: all. */
  readonly domains?: readonly string[];
  readonly bootstrapAdmin: { readonly email: string; readonly password?: string };
  /** What services that call on nobody's behalf may present; a hash is the SHA-256 of the key's secret. */
  readonly serviceKeys: readonly { readonly id: string; readonly secretHash: Buffer }[];
  readonly backendsFile?: string;
  readonly openai?: { readonly baseUrl: string; readonly apiKey?: string };
  readonly builtinBackend: boolean;
  /** Look for model servers on this machine. */
  readonly discoverBackends: boolean;
  /** Addresses or CIDRs that are not public, and that tenants may have their backends at all the same. */
  readonly egressAllow: readonly string[];
  /** Ports that tenants' own addresses may have, as ranges; undefined: those where model servers usually are. */
  readonly egressPorts?: readonly (readonly [from: number, to: number])[];
  readonly trustProxy: readonly string[];
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly allowPlaintext: boolean;
  readonly allowedOrigins: readonly string[];
  readonly shutdownSeconds: number;
  readonly maxStreams: number;
  readonly maxJsonBytes: number;
  /** For each user. */
  readonly userLimits: RateLimits;
  /** For each tenant as a whole, by its plan; a plan that is missing has none. */
  readonly planLimits: Readonly<Record<string, RateLimits>>;
  readonly quotaTokensPerMonth?: number;
  /** What an image, a sound or the like in a prompt counts before its model server tells it. */
  readonly reservedTokensPerMediaPart: number;
  /** How long the records of calls, and the hours that they are counted in, are kept; 0: for ever. */
  readonly usageRetention: { readonly callsDays: number; readonly hoursDays: number };
  /** The most memory for contexts of responses, where they are not in Redis. */
  readonly responseContextBytes: number;
  readonly signingKeyDays: number;
  /** Where traces go, as the base URL of an OTLP collector; undefined: nowhere. */
  readonly otlpEndpoint?: string;
  readonly logLevel: string;
}

/** The configuration cannot be used; the message lists every problem, a line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n  - ${problems.join('\n  - ')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads and checks all settings. An empty variable counts as not set.
 * @throws ConfigError that lists every problem
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const v = parsed.data;
  const secretKey = v.SECRET_KEY === undefined ? undefined : decodeSecretKey(v.SECRET_KEY);
  const problems = crossChecks(v, secretKey);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    production: v.NODE_ENV === 'production',
    port: v.PORT,
    host: v.HOST,
    publicUrl: v.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(v.DATA_DIR),
    databaseUrl: v.DATABASE_URL,
    databasePoolSize: v.DATABASE_POOL_SIZE,
    redisUrl: v.REDIS_URL,
    secretKey,
    domains: v.DOMAINS,
    bootstrapAdmin: { email: v.BOOTSTRAP_ADMIN_EMAIL, password: v.BOOTSTRAP_ADMIN_PASSWORD },
    serviceKeys: v.SERVICE_KEYS,
    backendsFile: v.BACKENDS_FILE,
    openai: v.OPENAI_BASE_URL ? { baseUrl: v.OPENAI_BASE_URL, apiKey: v.OPENAI_API_KEY } : undefined,
    builtinBackend: v.BUILTIN_BACKEND,
    discoverBackends: v.DISCOVER_BACKENDS,
    egressAllow: v.EGRESS_ALLOW,
    egressPorts: v.EGRESS_PORTS,
    trustProxy: v.TRUST_PROXY,
    tls: v.TLS_CERT_FILE && v.TLS_KEY_FILE ? { certFile: v.TLS_CERT_FILE, keyFile: v.TLS_KEY_FILE } : undefined,
    allowPlaintext: v.ALLOW_PLAINTEXT,
    allowedOrigins: v.ALLOWED_ORIGINS,
    shutdownSeconds: v.SHUTDOWN_SECONDS,
    maxStreams: v.MAX_STREAMS,
    maxJsonBytes: v.MAX_JSON_BYTES,
    userLimits: {
      requestsPerMinute: v.RATE_LIMIT_REQUESTS_PER_MINUTE,
      tokensPerMinute: v.RATE_LIMIT_TOKENS_PER_MINUTE,
      streams: v.RATE_LIMIT_STREAMS,
    },
    planLimits: v.RATE_LIMIT_PLANS,
    usageRetention: { callsDays: v.USAGE_CALLS_RETENTION_DAYS, hoursDays: v.USAGE_HOURS_RETENTION_DAYS },
    quotaTokensPerMonth: v.QUOTA_TOKENS_PER_MONTH,
    reservedTokensPerMediaPart: v.RESERVED_TOKENS_PER_MEDIA_PART,
    responseContextBytes: v.RESPONSE_CONTEXT_BYTES,
    signingKeyDays: v.SIGNING_KEY_DAYS,
    otlpEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: v.LOG_LEVEL,
  };
}

function crossChecks(v: z.infer<typeof variables>, secretKey: Buffer | undefined): string[] {
  const problems: string[] = [];
  if (v.SECRET_KEY !== undefined && !secretKey) {
    problems.push('SECRET_KEY: must be 32 bytes as 64 hex digits or as base64; make one with `openssl rand -hex 32`');
  }
  if (v.DATABASE_URL && v.SECRET_KEY === undefined) {
    problems.push('SECRET_KEY: required with DATABASE_URL; make one with `openssl rand -hex 32`');
  }
  const { USAGE_CALLS_RETENTION_DAYS: calls, USAGE_HOURS_RETENTION_DAYS: hours } = v;
  if (hours !== 0 && (calls === 0 || hours < calls)) {
    problems.push('USAGE_HOURS_RETENTION_DAYS: must not be less than USAGE_CALLS_RETENTION_DAYS (0: for ever)');
  }
  if (Boolean(v.TLS_CERT_FILE) !== Boolean(v.TLS_KEY_FILE)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE: set both or neither');
  }
  if (!isLoopback(v.HOST) && !v.TLS_CERT_FILE && v.TRUST_PROXY.length === 0 && !v.ALLOW_PLAINTEXT) {
    problems.push(
      `HOST: ${v.HOST} is reachable from other machines, and tokens may travel over TLS only: set TLS_CERT_FILE and ` +
        'TLS_KEY_FILE, or TRUST_PROXY to the proxy that ends TLS (ALLOW_PLAINTEXT=true overrides)',
    );
  }
  return problems;
}

function decodeSecretKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return key.length === 32 ? key : undefined;
}

/** Whether an address is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.');
}

function toPortRange(text: string): readonly [from: number, to: number] {
  const [from, to = from] = text.split('-').map(Number) as [number, number?];
  return [from, to];
}

function isPortRange(text: string): boolean {
  const [from, to] = toPortRange(text);
  return /^\d{1,5}(-\d{1,5})?$/.test(text) && from >= 1 && from <= to && to <= 65_535;
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
