import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { FallbackInput } from './chat-fallback-input.js';
import { lostField } from './chat-fallback-loss.js';
import { FallbackTools } from './chat-fallback-tools.js';

/** Fields of a responses request that mean the same in a chat request, under their own or another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([['max_output_tokens', 'max_tokens']]);
/** Fields that are put into other forms here, or that the platform answers for itself. */
const HANDLED = new Set([
  'include',
  'input',
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'reasoning',
  'store',
  'stream_options',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
]);
/** Fields that change nothing about what is answered: hints to a server, and bounds of what it does by itself. */
const HINTS = new Set([
  'client_metadata',
  'max_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'user',
]);
/** Members of `reasoning` that ask to see what the model thought, or which of its thoughts it sees again. */
const REASONING_EXTRAS = new Set(['context', 'generate_summary', 'summary']);
/** Fields without a counterpart, as a test on whether the request asks for anything with them. */
const WITHOUT_COUNTERPART: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    truncation: (value: unknown) => value !== 'disabled',
    background: (value: unknown) => value === true,
    conversation: () => true,
    prompt: () => true,
    context_management: () => true,
  }),
);
const LOGPROBS = 'message.output_text.logprobs';

/** A responses request as chat takes it. */
export interface ChatForm {
  readonly body: JsonObject;
  readonly tools: FallbackTools;
  /** The paths of the fields that are left out: they only ask for extras. */
  readonly omitted: readonly string[];
}

/**
 * A responses request as a chat request, for a backend that has no responses. Unknown fields pass through.
 * @param request without `previous_response_id`: the context is already in its input
 * @throws Conflict `capability_not_supported` that names the field without which the answer would be another one
 */
export function toChatRequest(request: JsonObject): ChatForm {
  const fields = Object.entries(request).filter(([name, value]) => value !== null && !HANDLED.has(name));
  const missing = fields.find(([name, value]) => WITHOUT_COUNTERPART.get(name)?.(value));
  if (missing) throw lostField(missing[0]);
  const kept = fields.filter(([name]) => !WITHOUT_COUNTERPART.has(name) && !HINTS.has(name));
  const tools = new FallbackTools(request);
  const body = {
    ...Object.fromEntries(kept.map(([name, value]) => [RENAMED.get(name) ?? name, value])),
    messages: new FallbackInput(request, tools).messages,
    ...tools.fields(request),
    ...textOptionsOf(request.text),
    ...reasoningOf(request.reasoning),
    ...logprobsOf(request),
  };
  const hints = fields.map(([name]) => name).filter((name) => HINTS.has(name));
  return { body, tools, omitted: [...extrasOf(request), ...hints, ...tools.omitted] };
}

function textOptionsOf(text: unknown): JsonObject {
  if (!isJsonObject(text)) return {};
  const { format, verbosity, ...others } = text;
  const [other] = Object.keys(others);
  if (other !== undefined) throw lostField(`text.${other}`);
  return {
    ...(isJsonObject(format) && { response_format: formatOf(format) }),
    ...(typeof verbosity === 'string' && { verbosity }),
  };
}

function formatOf({ type, ...schema }: JsonObject): JsonObject {
  if (type === 'json_schema') return { type, json_schema: schema };
  if (type === 'text' || type === 'json_object') return { type };
  throw lostField('text.format');
}

function reasoningOf(reasoning: unknown): JsonObject {
  if (!isJsonObject(reasoning)) return {};
  const { effort, ...others } = reasoning;
  const other = Object.entries(others).find(([name, value]) => value !== null && !REASONING_EXTRAS.has(name));
  if (other) throw lostField(`reasoning.${other[0]}`);
  return typeof effort === 'string' ? { reasoning_effort: effort } : {};
}

function logprobsOf({ include, top_logprobs: top }: JsonObject): JsonObject {
  const several = typeof top === 'number' && top > 0;
  if (!several && !(Array.isArray(include) && include.includes(LOGPROBS))) return {};
  return { logprobs: true, ...(several && { top_logprobs: top }) };
}

/** The paths of what a request asks for beside its answer, and does not get. */
function extrasOf({ include, reasoning, stream_options: stream }: JsonObject): string[] {
  const included = Array.isArray(include) ? include : [];
  return [
    ...included.flatMap((entry, index) => (entry === LOGPROBS ? [] : [`include[${index}]`])),
    ...Object.entries(isJsonObject(reasoning) ? reasoning : {})
      .filter(([name, value]) => value !== null && REASONING_EXTRAS.has(name))
      .map(([name]) => `reasoning.${name}`),
    ...Object.entries(isJsonObject(stream) ? stream : {})
      .filter(([name, value]) => name !== 'include_usage' && value !== null && value !== false)
      .map(([name]) => `stream_options.${name}`),
  ];
}
