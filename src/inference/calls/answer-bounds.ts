import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isTokens } from './prompt.js';

/** The fields that bound an answer, by operation. */
const BOUNDS = {
  chat: ['max_completion_tokens', 'max_tokens'],
  completions: ['max_tokens'],
  responses: ['max_output_tokens'],
  embeddings: [],
  rerank: [],
  translate: [],
  transcribe: [],
  speech: [],
} as const;

type Operation = keyof typeof BOUNDS;

/** They have no answers whose length a request bounds. */
const WITHOUT_ANSWERS: ReadonlySet<Operation> = new Set(['embeddings', 'rerank', 'translate', 'transcribe', 'speech']);

/** How long answers are and how many, as whatever server may read it. */
const BOUND_KINDS: ReadonlyMap<string, Bound['kind']> = new Map([
  ...namesOf('longest', 'max_tokens max_completion_tokens max_output_tokens max_new_tokens n_predict num_predict'),
  ...namesOf('longest', 'max_length max_gen_len max_tokens_to_sample max_generated_tokens max_response_tokens'),
  ...namesOf('least', 'min_tokens min_length min_new_tokens min_output_tokens'),
  ...namesOf('budget', 'budget_tokens thinking_budget reasoning_budget max_reasoning_tokens max_thinking_tokens'),
  ...namesOf('budget', 'thinking_budget_tokens thinking_token_budget'),
  ...namesOf('answers', 'n best_of num_return_sequences n_cmpl num_completions candidate_count num_generations'),
  ...namesOf('answers', 'num_beams beam_width'),
]);
/** Longer texts are no numbers. */
const NUMBER_CHARACTERS = 64;

/** What is said of anything but the answer, or is no more than text for its server. */
const NON_BOUND_FIELDS: ReadonlySet<string> = new Set(
  (
    'messages input prompt instructions tools functions documents metadata logit_bias response_format guided_json ' +
    'json_schema schema grammar'
  ).split(' '),
);

/** A number that says how long answers are, or how many. */
export interface Bound {
  readonly parent: JsonObject;
  readonly name: string;
  /** 0 bounds nothing in `longest`, and is what it says in `least` and `budget`. */
  readonly kind: 'longest' | 'least' | 'budget' | 'answers';
  readonly value: number;
}

/** The most tokens of an answer, where the request sets a bound. */
export function maxTokensOf(operation: Operation, body: JsonObject): number | undefined {
  const bounds = BOUNDS[operation].map((name) => numberOf(body[name]) ?? 0).filter((bound) => bound > 0);
  return bounds.length === 0 ? undefined : Math.max(...bounds);
}

/**
 * The most tokens that an answer may have. Servers differ in what they look at: so every bound counts wherever it
 * stands, a field of another operation never lowers it, and one of 0 or less is none, whatever stands beside it.
 * @param otherwise where the request sets no bound
 * @param bounds those of the body, where they are known
 */
export function longestAnswerOf(
  operation: Operation,
  body: JsonObject,
  otherwise: number,
  bounds: readonly Bound[] = boundsOf(body),
): number {
  const own = bounds.some(isNone) ? undefined : maxTokensOf(operation, body);
  const others = bounds.filter(({ kind }) => kind !== 'answers').map(({ value }) => value);
  return others.reduce((most, bound) => Math.max(most, bound), own ?? otherwise);
}

/**
 * How many answers a request asks for: the largest number of them that it names, for each of its prompts.
 * @param bounds those of the body, where they are known
 */
export function countAnswers(
  operation: Operation,
  body: JsonObject,
  bounds: readonly Bound[] = boundsOf(body),
): number {
  if (WITHOUT_ANSWERS.has(operation)) return 0;
  const { prompt } = body;
  const prompts = operation === 'completions' && Array.isArray(prompt) && !isTokens(prompt) ? prompt.length : 1;
  const answers = bounds.filter(({ kind }) => kind === 'answers');
  return answers.reduce((most, { value }) => Math.max(most, value), 1) * Math.max(1, prompts);
}

/**
 * The request with a bound that its server will hold: the bounds that are none left out, and `bound` set where nothing
 * else bounds the answer. Where that is so already, the request itself.
 */
export function boundedRequest(operation: Operation, body: JsonObject, bound: number): JsonObject {
  const [field] = BOUNDS[operation].slice(-1);
  if (field === undefined) return body;
  let bounded = body;
  if (boundsOf(body).some(isNone)) {
    const copies = Object.entries(body).map(([name, value]) => [
      name,
      NON_BOUND_FIELDS.has(name) ? value : copyOf(value),
    ]);
    bounded = Object.fromEntries(copies) as JsonObject;
    for (const { parent, name } of boundsOf(bounded).filter(isNone)) delete parent[name];
  }
  return maxTokensOf(operation, bounded) === undefined ? { ...bounded, [field]: bound } : bounded;
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function isNone({ kind, value }: Bound): boolean {
  return (kind === 'longest' && value <= 0) || (kind === 'budget' && value < 0);
}

/** All numbers of a request that say how long answers are, or how many; without recursion: whoever sends a body decides how deep it is. */
export function boundsOf(body: JsonObject): Bound[] {
  const bounds: Bound[] = [];
  const open: unknown[] = [body];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    if (Array.isArray(parent)) for (const entry of parent) addParent(open, entry);
    if (!isJsonObject(parent)) continue;
    for (const name of Object.keys(parent)) {
      if (!NON_BOUND_FIELDS.has(name)) addParent(open, parent[name]);
      const kind = BOUND_KINDS.get(name);
      const value = kind && numberOf(parent[name]);
      if (kind && value !== undefined) bounds.push({ parent, name, kind, value });
    }
  }
  return bounds;
}

function addParent(open: unknown[], value: unknown): void {
  if (typeof value === 'object' && value !== null) open.push(value);
}

/** Names in the two ways in which they are written. */
function namesOf(kind: Bound['kind'], names: string): [string, Bound['kind']][] {
  const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
  return names
    .split(' ')
    .flatMap((name) => [name, camelCase(name)].map((written) => [written, kind] as [string, Bound['kind']]));
}

/** A number, also where it is written as a text: some servers read it so. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > NUMBER_CHARACTERS || value.trim() === '') return undefined;
  const number = Number(value.replaceAll('_', ''));
  return Number.isNaN(number) ? undefined : number;
}
