import { objectsOf } from './json.types.js';
import type { JsonObject } from './json.types.js';

/** The text of a message: its content, or the text parts of it. */
export function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** What else a model reads of a request: what it may call, and templates and documents for its server. */
const OTHER_FIELDS = ['tools', 'functions', 'documents', 'chat_template', 'chat_template_kwargs', 'suffix'];

/** The texts of a request of any operation: all that the model reads, empty ones left out. */
export function promptTexts(request: JsonObject): string[] {
  const { messages, prompt, input, instructions } = request;
  const bare = [prompt, input, instructions].flat().filter((text) => typeof text === 'string');
  const items = [...objectsOf(messages), ...objectsOf(input)];
  return [...bare, ...items.map(textOf), ...items.flatMap(besideOf), ...othersOf(request)].filter(Boolean);
}

/** What an item has beside its content: calls of tools and what they answered, thoughts, a part that stands by itself. */
function besideOf({ output, text, reasoning_content: thoughts, tool_calls: calls, arguments: given }: JsonObject) {
  const functions = objectsOf(objectsOf(calls).map((call) => call.function));
  return [
    typeof output === 'string' ? output : textOf({ content: output }),
    ...functions.flatMap((called) => [called.name, called.arguments]),
    text,
    thoughts,
    given,
  ].filter((beside) => typeof beside === 'string');
}

function othersOf(request: JsonObject): string[] {
  const [answer = {}] = objectsOf([request.response_format]);
  const [text = {}] = objectsOf([request.text]);
  const [format = {}] = objectsOf([text.format]);
  const fields = OTHER_FIELDS.map((name) => (Object.hasOwn(request, name) ? request[name] : undefined));
  return [...fields, answer.json_schema, format.schema]
    .filter((value) => value !== undefined && value !== null)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** How many tokens of a request are given as numbers. */
export function promptTokenCount({ prompt, input }: JsonObject): number {
  return [prompt, input].flat(2).filter((token) => typeof token === 'number').length;
}

/** The length of a request's texts in UTF-8 bytes; a token that is given as a number counts three. */
export function promptBytes(body: JsonObject): number {
  return promptTexts(body).reduce((sum, text) => sum + Buffer.byteLength(text), 3 * promptTokenCount(body));
}

/** Whether a request asks to see its usage in the stream. */
export function wantsUsage(body: JsonObject): boolean {
  const [options] = objectsOf([body.stream_options]);
  return options?.include_usage === true;
}

/** The fields that bound an answer, by operation. */
const BOUNDS = {
  chat: ['max_completion_tokens', 'max_tokens'],
  completions: ['max_tokens'],
  responses: ['max_output_tokens'],
  embeddings: [],
} as const;
const ANY_BOUND = Object.values(BOUNDS).flat();

/** The most tokens of an answer, where the request sets a bound. */
export function maxTokensOf(operation: keyof typeof BOUNDS, body: JsonObject): number | undefined {
  return largestOf(BOUNDS[operation], body);
}

/**
 * The most tokens that an answer may have. Servers differ in what they look at: a field of another operation never
 * lowers it.
 * @param otherwise where the request sets no bound
 */
export function longestAnswerOf(operation: keyof typeof BOUNDS, body: JsonObject, otherwise: number): number {
  return Math.max(maxTokensOf(operation, body) ?? otherwise, largestOf(ANY_BOUND, body) ?? 0);
}

function largestOf(names: readonly string[], body: JsonObject): number | undefined {
  // Servers take 0 and less for no bound.
  const bounds = names.map((name) => body[name]).filter((value) => typeof value === 'number' && value > 0);
  return bounds.length === 0 ? undefined : Math.max(...(bounds as number[]));
}

/** How many answers a request asks for: `n` or `best_of`, for each of its prompts. */
export function answersOf(operation: keyof typeof BOUNDS, { n, best_of: best, prompt }: JsonObject): number {
  if (operation === 'embeddings') return 0;
  const many = operation === 'completions' && Array.isArray(prompt) && typeof prompt[0] !== 'number';
  const answers = [n, best].filter((value) => typeof value === 'number') as number[];
  return Math.max(1, ...answers) * (many ? Math.max(1, prompt.length) : 1);
}
