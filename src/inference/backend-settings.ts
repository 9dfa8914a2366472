import { accessSync, constants, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../config.js';
import type { Config } from '../config.js';
import { CAPABILITIES } from './backend.js';

/** What the server sets itself in a request to a model server. */
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept-encoding',
]);
const FORBIDDEN_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

const text = z.string().min(1).max(256);
const headerValue = z.string().refine((value) => !FORBIDDEN_IN_HEADER.test(value), 'is not a header value');
const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a header name')
  .toLowerCase()
  .refine((name) => !RESERVED_HEADERS.has(name), 'is set by the server itself');

const model = z.union([
  text.transform((id) => ({ id, upstream: id })),
  z
    .strictObject({ id: text, upstream: text.optional() })
    .transform(({ id, upstream }) => ({ id, upstream: upstream ?? id })),
]);

const common = {
  id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1-64 letters, digits, dots, dashes or underscores'),
  supports: z.array(z.enum(CAPABILITIES)).min(1).default(['chat']),
};

const openai = z.strictObject({
  ...common,
  kind: z.literal('openai'),
  base_url: z.string().refine(isBaseUrl, 'must be an http or https URL without user, query or fragment'),
  api_key: headerValue.min(1).optional(),
  models: z.array(model).min(1).optional(),
  weight: z.number().positive().optional(),
  priority: z.number().int().optional(),
  max_concurrency: z.number().int().min(1).max(100_000).optional(),
  queue: z
    .strictObject({ max: z.number().int().min(0).max(100_000), seconds: z.number().positive().max(3_600) })
    .default({ max: 100, seconds: 30 }),
  headers: z.record(headerName, headerValue).default({}),
  ca_file: z.string().refine(isReadable, 'cannot be read').optional(),
  health_path: z
    .string()
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path from the root of the host')
    .optional(),
  byok: z.boolean().optional(),
  timeout_seconds: z.number().positive().max(86_400).default(300),
});

const builtin = z.strictObject({ ...common, kind: z.literal('builtin') });

const backendsFile = z.strictObject({
  backends: z.array(z.discriminatedUnion('kind', [openai, builtin])),
});

/** A model server that speaks the widely used chat-completions interface. */
export type OpenaiSettings = z.infer<typeof openai>;
/** One entry of the backends file. */
export type BackendSettings = OpenaiSettings | z.infer<typeof builtin>;

/** Settings that the file may have and that nothing reads yet. */
const WITHOUT_EFFECT = ['weight', 'priority', 'byok'] as const;

/**
 * The backends of the file, of `OPENAI_BASE_URL` (id `openai`), and the builtin one.
 * @param warn told of settings that have no effect
 * @throws ConfigError that lists every problem
 */
export function readBackendSettings(config: Config, warn: (message: string) => void): BackendSettings[] {
  const settings: BackendSettings[] = config.backendsFile === undefined ? [] : readFile(config.backendsFile);
  for (const entry of settings) {
    const unused = WITHOUT_EFFECT.filter((name) => name in entry);
    if (unused.length > 0) warn(`backend ${entry.id}: ${unused.join(', ')} has no effect yet`);
  }
  if (config.openai) {
    const { baseUrl, apiKey } = config.openai;
    settings.push(
      check(openai, 'OPENAI_BASE_URL', { id: 'openai', kind: 'openai', base_url: baseUrl, api_key: apiKey }),
    );
  }
  if (config.builtinBackend && !settings.some(({ kind }) => kind === 'builtin')) {
    settings.push({ id: 'builtin', kind: 'builtin', supports: ['chat'] });
  }
  const ids = settings.map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  if (twice.size > 0) throw new ConfigError([...twice].map((id) => `backends: the id ${id} is taken twice`));
  return settings;
}

function readFile(file: string): BackendSettings[] {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([`BACKENDS_FILE: ${(error as Error).message}`]);
  }
  return check(backendsFile, 'BACKENDS_FILE', content).backends;
}

function check<T extends z.ZodType>(schema: T, source: string, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(
      ({ path, message }) => `${source}: ${[z.core.toDotPath(path), message].filter(Boolean).join(': ')}`,
    ),
  );
}

function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
