import { accessSync, constants, readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { BadRequest } from '../../errors.js';
import { ConfigError } from '../../platform/config/config.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import { systemCode } from '../../platform/operational-error.js';
import type { InferenceConfig } from '../config.js';
import { CAPABILITIES } from './backend.js';

/** What the server sets itself in a request to a model server, and what is about one connection alone. */
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const FORBIDDEN_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

/** None of them stands in a name: they would reach logs, labels and terminals. */
export const CONTROL_CHARACTERS = /\p{Cc}/u;
/** Models of one backend. */
const MODELS = 1_000;

const text = z
  .string()
  .min(1)
  .max(256)
  .refine((value) => !CONTROL_CHARACTERS.test(value), 'has control characters');
const headerValue = z.string().refine((value) => !FORBIDDEN_IN_HEADER.test(value), 'is not a header value');
const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a header name')
  .toLowerCase()
  .refine((name) => !RESERVED_HEADERS.has(name), 'is set by the server itself');

/** What a server takes and gives of sound; what is left out is what most do. */
const audio = z.strictObject({
  max_seconds: z.number().min(1).max(86_400).optional(),
  max_bytes: z.number().int().min(1_024).max(4_294_967_296).optional(),
  words: z.boolean().optional(),
  segments: z.boolean().optional(),
  speakers: z.boolean().optional(),
  translations: z.boolean().optional(),
  languages: z.array(text).min(1).max(500).optional(),
  voices: z.array(text).max(1_000).optional(),
});

const model = z.union([
  text.transform((id) => ({ id, upstream: id, max_tokens: undefined, audio: undefined })),
  z
    .strictObject({
      id: text,
      upstream: text.optional(),
      max_tokens: z.number().int().min(1).max(10_000_000).optional(),
      audio: audio.optional(),
    })
    .transform(({ id, upstream, max_tokens, audio: own }) => ({
      id,
      upstream: upstream ?? id,
      max_tokens,
      audio: own,
    })),
]);

const common = {
  id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1-64 letters, digits, dots, dashes or underscores'),
};

/** What compatible servers usually do; a server that keeps responses, or lacks some of these, says so. */
const USUAL_CAPABILITIES = ['chat', 'completions', 'responses', 'embeddings'] as const;

/** Of every server that is reached over HTTP. */
const server = {
  ...common,
  base_url: z.string().refine(isBaseUrl, 'must be an http or https URL without user, query or fragment'),
  api_key: headerValue.min(1).optional(),
  weight: z.number().min(0.001).max(1_000).default(1),
  priority: z.number().int().min(0).max(1_000).default(0),
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
  byok: z.boolean().default(false),
  timeout_seconds: z.number().positive().max(86_400).default(300),
};

const openai = z.strictObject({
  ...server,
  kind: z.literal('openai'),
  supports: z
    .array(z.enum(CAPABILITIES))
    .min(1)
    .default([...USUAL_CAPABILITIES]),
  models: z.array(model).min(1).max(MODELS).optional(),
  provider: text.default('openai'),
  audio: audio.optional(),
});

const libretranslate = z.strictObject({
  ...server,
  kind: z.literal('libretranslate'),
  supports: z.array(z.literal('translate')).length(1).default(['translate']),
  /** The public name of what it serves; its own by default. Servers of one name are instances of one model. */
  models: z.array(model).length(1, 'must be one name').optional(),
  provider: text.default('libretranslate'),
});

/** Those of a backend that is added while the server runs: it may not name files of the server. */
const runtime = z.discriminatedUnion('kind', [
  openai.omit({ id: true, ca_file: true, audio: true }).extend({ name: common.id }),
  libretranslate.omit({ id: true, ca_file: true }).extend({ name: common.id }),
]);

const builtin = z.strictObject({ ...common, kind: z.literal('builtin') });

const backendsFile = z.strictObject({
  backends: z.array(z.discriminatedUnion('kind', [openai, libretranslate, builtin])),
});

/** A model server that speaks the widely used chat-completions interface. */
export type OpenaiSettings = z.infer<typeof openai>;
/** A translation server of LibreTranslate's interface. */
export type LibretranslateSettings = z.infer<typeof libretranslate>;
/** What a server, or one of its models, takes and gives of sound. */
export type AudioSettings = z.infer<typeof audio>;
/** A model server that is added while the server runs. */
export type RuntimeSettings = z.infer<typeof runtime>;
/** One entry of the backends file. */
export type BackendSettings = OpenaiSettings | LibretranslateSettings | z.infer<typeof builtin>;

/**
 * The backends of the file, of `OPENAI_BASE_URL` (id `openai`), and the builtin one.
 * @throws ConfigError that lists every problem
 */
export function readBackendSettings(config: InferenceConfig): BackendSettings[] {
  const settings: BackendSettings[] = config.backendsFile === undefined ? [] : readFile(config.backendsFile);
  const { openaiBaseUrl: base_url, openaiApiKey: api_key } = config;
  if (base_url) settings.push(check(openai, 'OPENAI_BASE_URL', { id: 'openai', kind: 'openai', base_url, api_key }));
  if (config.builtinBackend && !settings.some(({ kind }) => kind === 'builtin')) {
    settings.push({ id: 'builtin', kind: 'builtin' });
  }
  const ids = settings.map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  if (twice.size > 0) throw new ConfigError([...twice].map((id) => `backends: the id ${id} is taken twice`));
  return settings;
}

/**
 * Checks the settings of a backend that is added while the server runs, under the names that the file uses.
 * @throws BadRequest that names the field
 */
export function checkRuntimeSettings(value: unknown): RuntimeSettings {
  const parsed = runtime.safeParse(isJsonObject(value) ? { kind: 'openai', ...value } : value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'is not valid' }] = parsed.error.issues;
  const field = z.core.toDotPath(path);
  throw new BadRequest(`${field}: ${message}`, field);
}

/** The settings of a model server on this machine that was found there. */
export function localSettings(id: string, port: number): OpenaiSettings {
  return openai.parse({ id, kind: 'openai', provider: id, base_url: `http://127.0.0.1:${port}/v1` });
}

function readFile(file: string): BackendSettings[] {
  let content: unknown;
  try {
    // Its warnings quote the file.
    content = parse(readFileSync(file, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new ConfigError([`BACKENDS_FILE: ${explainUnreadable(error)}`]);
  }
  return check(backendsFile, 'BACKENDS_FILE', content).backends;
}

/** Why a file cannot be read, without a word of what is in it: that may be a key. */
function explainUnreadable(error: unknown): string {
  const [{ line, col } = {}] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
  if (line !== undefined) return `is not valid YAML at line ${line}, column ${col}`;
  return systemCode(error).startsWith('E') ? (error as Error).message : 'is not valid YAML';
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
