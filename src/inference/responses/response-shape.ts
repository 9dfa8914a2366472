import { randomUUID } from 'node:crypto';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import { isJsonObject, objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toMeteredUsage, toUsageMember } from '../calls/usage.js';

/** What a response repeats of its request, and what OpenAI answers where the request does not say. */
const REPEATED: JsonObject = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  prompt_cache_key: null,
  reasoning: {},
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: {},
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
};
/** Members whose own members a response has all of, although its request may leave some out. */
const FORMS: Readonly<Record<string, (value: unknown) => unknown>> = {
  reasoning: toReasoning,
  text: toText,
  tools: toTools,
};

/** What a failed response says where its model server does not say what went wrong. */
const UNEXPLAINED = { code: 'bad_upstream', message: 'The model server failed while it was answering.' };

/** What every response to a request repeats of it, complete (docs/api.md, Responses). */
export function repeatedMembers(request: JsonObject): JsonObject {
  const members = Object.entries(REPEATED).map(([name, unset]) => [name, toForm(name, request[name] ?? unset)]);
  return { ...Object.fromEntries(members), ...(typeof request.user === 'string' && { user: request.user }) };
}

/**
 * A response with every member that OpenAI's has. What its server says counts before what the request asked for.
 * @param repeated what `repeatedMembers` makes of the request
 * @param createdAt Unix seconds
 */
export function completeResponse(response: JsonObject, repeated: JsonObject, createdAt: number): JsonObject {
  const status = textOr(response.status, 'in_progress');
  const members = Object.entries(repeated).map(([name, asked]) => {
    const told = response[name] ?? undefined;
    return [name, told === undefined ? asked : toForm(name, told)];
  });
  const now = Math.floor(Date.now() / 1_000);
  return {
    ...response,
    ...Object.fromEntries(members),
    status,
    completed_at: response.completed_at ?? (status === 'completed' ? Math.max(now, createdAt) : null),
    error: toError(response.error, status),
    incomplete_details: response.incomplete_details ?? null,
    output: toOutput(response.output, status === 'in_progress' ? status : 'completed'),
    service_tier: response.service_tier ?? 'default',
  };
}

/** How a call of a model has ended, by the status of its response. One that is incomplete has all that was paid for. */
export function outcomeOf(status: unknown): Outcome {
  return status === 'failed' || status === 'cancelled' ? status : 'completed';
}

/** Usage under the names of every call, and under those of the responses interface (docs/api.md, Responses). */
export function publicUsage(told: unknown, metered: MeteredUsage): JsonObject {
  const given = isJsonObject(told) && toMeteredUsage(told) ? told : {};
  const [input] = objectsOf([given.input_tokens_details, given.prompt_tokens_details]);
  const [output] = objectsOf([given.output_tokens_details, given.completion_tokens_details]);
  return {
    input_tokens: metered.promptTokens,
    output_tokens: metered.completionTokens,
    ...given,
    input_tokens_details: { ...input, cached_tokens: input?.cached_tokens ?? 0 },
    output_tokens_details: { ...output, reasoning_tokens: output?.reasoning_tokens ?? 0 },
    ...toUsageMember(metered),
  };
}

/** An id for an output item. @param prefix of its kind, such as `msg` */
export function newItemId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

function toForm(name: string, value: unknown): unknown {
  return FORMS[name]?.(value) ?? value;
}

function toReasoning(reasoning: unknown): JsonObject {
  return { effort: null, summary: null, ...(isJsonObject(reasoning) && reasoning) };
}

function toText(text: unknown): JsonObject {
  const { format, ...others } = isJsonObject(text) ? text : {};
  const told = Object.entries(others).filter(([, value]) => value !== null);
  return { format: isJsonObject(format) ? toFormat(format) : { type: 'text' }, ...Object.fromEntries(told) };
}

function toFormat(format: JsonObject): JsonObject {
  if (format.type !== 'json_schema') return format;
  return { description: null, ...format, strict: format.strict ?? false };
}

/** Null: the request leaves it to the model server. */
function toTools(tools: unknown): JsonObject[] {
  const unset = { description: null, parameters: null, strict: null };
  return objectsOf(tools).map((tool) => (tool.type === 'function' ? { ...unset, ...tool } : tool));
}

function toError(error: unknown, status: string): JsonObject | null {
  if (isJsonObject(error)) {
    return {
      ...error,
      code: textOr(error.code, UNEXPLAINED.code),
      message: textOr(error.message, UNEXPLAINED.message),
    };
  }
  if (typeof error === 'string') return { ...UNEXPLAINED, message: error };
  return status === 'failed' ? UNEXPLAINED : null;
}

/** Output items with all that the published ones have; a bare text is a message. */
function toOutput(output: unknown, status: string): JsonObject[] {
  const items = typeof output === 'string' ? [{ type: 'message', content: output }] : objectsOf(output);
  return items.map((item: JsonObject) => {
    const told = item.status ?? status;
    if (item.type === 'message') {
      return { id: newItemId('msg'), role: 'assistant', ...item, status: told, content: toContent(item.content) };
    }
    if (item.type === 'reasoning') return { id: newItemId('rs'), summary: [], ...item, status: told };
    return item.type === 'function_call' ? { id: newItemId('fc'), ...item, status: told } : item;
  });
}

function toContent(content: unknown): JsonObject[] {
  const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : objectsOf(content);
  return parts.map((part: JsonObject) =>
    part.type === 'output_text'
      ? { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] }
      : part,
  );
}
