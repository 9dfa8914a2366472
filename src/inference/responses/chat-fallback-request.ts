import { Conflict } from '../../errors.js';
import { isJsonObject, objectsOf } from '../json.types.js';
import type { JsonObject } from '../json.types.js';

/** Fields of a responses request that mean the same in a chat request, under their own or another name. */
const RENAMED: Readonly<Record<string, string>> = { max_output_tokens: 'max_tokens' };
/** Fields that are put into other forms here, or that the platform answers for itself. */
const HANDLED = new Set(['input', 'instructions', 'tools', 'tool_choice', 'text', 'reasoning', 'metadata', 'store']);
/** Fields without a counterpart, as a test on whether the request asks for anything with them. */
const WITHOUT_COUNTERPART: Readonly<Record<string, (value: unknown) => boolean>> = {
  include: (value) => Array.isArray(value) && value.length > 0,
  truncation: (value) => value !== 'disabled',
  background: (value) => value === true,
  conversation: () => true,
  prompt: () => true,
  max_tool_calls: () => true,
  context_management: () => true,
  stream_options: (value) => isJsonObject(value) && value.include_obfuscation === true,
};

/**
 * A responses request as a chat request, for a backend that has no responses. Unknown fields pass through.
 * @param request without `previous_response_id`: the context is already in its input
 * @throws Conflict `capability_not_supported` that names the field that would be lost
 */
export function toChatRequest(request: JsonObject): JsonObject {
  const chat: JsonObject = {};
  for (const [name, value] of Object.entries(request)) {
    if (value === null || HANDLED.has(name)) continue;
    const asks = WITHOUT_COUNTERPART[name];
    if (asks?.(value)) throw lost(name);
    if (!asks) chat[RENAMED[name] ?? name] = value;
  }
  return {
    ...chat,
    messages: messagesOf(request),
    ...toolsOf(request),
    ...textOptionsOf(request.text),
    ...reasoningOf(request.reasoning),
  };
}

function messagesOf({ instructions, input }: JsonObject): JsonObject[] {
  const messages: JsonObject[] = [];
  if (typeof instructions === 'string') messages.push({ role: 'system', content: instructions });
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  for (const [index, item] of objectsOf(input).entries()) addItem(messages, item, `input[${index}]`);
  return messages;
}

function addItem(messages: JsonObject[], item: JsonObject, path: string): void {
  switch (item.type ?? 'message') {
    case 'message':
      messages.push(messageOf(item, path));
      return;
    case 'function_call':
      addToolCall(messages, item);
      return;
    case 'function_call_output':
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: contentOf(item.output, `${path}.output`) });
      return;
    case 'reasoning':
      // Chat servers want earlier turns without what the model thought.
      return;
    default:
      throw lost(path);
  }
}

function messageOf({ role, content }: JsonObject, path: string): JsonObject {
  return { role: role === 'developer' ? 'system' : role, content: contentOf(content, `${path}.content`) };
}

/** Calls that follow each other, or a text, are one turn of the assistant. */
function addToolCall(messages: JsonObject[], { call_id: id, name, arguments: given }: JsonObject): void {
  const call = { id, type: 'function', function: { name, arguments: given } };
  const last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] });
  else last.tool_calls = [...objectsOf(last.tool_calls), call];
}

/** One text stays a text: not every chat server reads parts. */
function contentOf(content: unknown, path: string): unknown {
  if (!Array.isArray(content)) return content;
  const parts = objectsOf(content).map((part, index) => partOf(part, `${path}[${index}]`));
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

function partOf(part: JsonObject, path: string): JsonObject {
  const { type, text, refusal, image_url: url, detail, file_data: data, filename, input_audio: audio } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text') return { type: 'text', text };
  if (type === 'refusal') return { type: 'text', text: refusal };
  if (type === 'input_image' && typeof url === 'string') {
    return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
  }
  if (type === 'input_file' && typeof data === 'string') return { type: 'file', file: { file_data: data, filename } };
  if (type === 'input_audio' && isJsonObject(audio)) return { type, input_audio: audio };
  throw lost(path);
}

function toolsOf({ tools, tool_choice: choice }: JsonObject): JsonObject {
  const functions = objectsOf(tools).map(({ type, ...definition }, index) => {
    if (type !== 'function') throw lost(`tools[${index}]`);
    return { type, function: definition };
  });
  return { ...(functions.length > 0 && { tools: functions }), ...toolChoiceOf(choice) };
}

function toolChoiceOf(choice: unknown): JsonObject {
  if (choice === undefined || choice === null) return {};
  if (typeof choice === 'string') return { tool_choice: choice };
  if (isJsonObject(choice) && choice.type === 'function') {
    return { tool_choice: { type: 'function', function: { name: choice.name } } };
  }
  throw lost('tool_choice');
}

function textOptionsOf(text: unknown): JsonObject {
  if (!isJsonObject(text)) return {};
  const { format, verbosity, ...others } = text;
  const [other] = Object.keys(others);
  if (other !== undefined) throw lost(`text.${other}`);
  return {
    ...(isJsonObject(format) && { response_format: formatOf(format) }),
    ...(typeof verbosity === 'string' && { verbosity }),
  };
}

function formatOf({ type, ...schema }: JsonObject): JsonObject {
  if (type === 'json_schema') return { type, json_schema: schema };
  if (type === 'text' || type === 'json_object') return { type };
  throw lost('text.format');
}

function reasoningOf(reasoning: unknown): JsonObject {
  if (!isJsonObject(reasoning)) return {};
  const { effort, ...others } = reasoning;
  const other = Object.entries(others).find(([, value]) => value !== null);
  if (other) throw lost(`reasoning.${other[0]}`);
  return typeof effort === 'string' ? { reasoning_effort: effort } : {};
}

function lost(param: string): Conflict {
  return new Conflict(
    'capability_not_supported',
    `The backend of this model has no responses; through its chat completions ${param} would be lost.`,
    param,
  );
}
