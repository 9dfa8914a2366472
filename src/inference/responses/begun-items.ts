import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Members of items and parts that fill while they are written, as they are before. */
const EMPTY: JsonObject = {
  annotations: [],
  arguments: '',
  code: null,
  content: [],
  input: '',
  logprobs: [],
  refusal: '',
  summary: [],
  text: '',
};

/** A whole output item as it was when it began. */
export function begunItem(item: JsonObject): JsonObject {
  return { ...emptied(item), status: 'in_progress' };
}

/** The output item that an event is about, as it began, where nothing but the event tells of it. */
export function itemOfEvent(type: string, event: JsonObject, id: unknown): JsonObject {
  const started = { id, status: 'in_progress' };
  const [call] = /(?<=^response\.)(\w+?_call|mcp_list_tools)(?=[._])/.exec(type) ?? [];
  if (call !== undefined) {
    const filled = call === 'function_call' ? { arguments: '' } : call === 'custom_tool_call' ? { input: '' } : {};
    return { type: call, ...started, call_id: id, name: textOr(event.name, ''), ...filled };
  }
  const isThought = type.startsWith('response.reasoning') || typeOf(event.part) === 'reasoning_text';
  return isThought
    ? { type: 'reasoning', ...started, summary: [], content: [] }
    : { type: 'message', ...started, role: 'assistant', content: [] };
}

/** The part that an event is about, as it began. */
export function partOfEvent(type: string, { part }: JsonObject): JsonObject {
  if (isJsonObject(part)) return emptied(part);
  if (type.startsWith('response.refusal')) return { type: 'refusal', refusal: '' };
  if (type.startsWith('response.reasoning_summary')) return { type: 'summary_text', text: '' };
  if (type.startsWith('response.reasoning')) return { type: 'reasoning_text', text: '' };
  return { type: 'output_text', text: '', annotations: [], logprobs: [] };
}

function emptied(whole: JsonObject): JsonObject {
  const filled = Object.entries(EMPTY).filter(([name]) => (whole[name] ?? null) !== null);
  return { ...whole, ...Object.fromEntries(filled) };
}

function typeOf(part: unknown): unknown {
  return isJsonObject(part) ? part.type : undefined;
}
