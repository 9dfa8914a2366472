import { Conflict } from '../../errors.js';
import { isJsonObject, objectsOf } from '../json.types.js';
import type { JsonObject } from '../json.types.js';

/** Fields of a responses request that mean the same in a chat request, under their own or another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([['max_output_tokens', 'max_tokens']]);
/** Fields that are put into other forms here, or that the platform answers for itself. */
const HANDLED = new Set(['input', 'instructions', 'tools', 'tool_choice', 'text', 'reasoning', 'metadata', 'store']);
/** Fields without a counterpart, as a test on whether the request asks for anything with them. */
const WITHOUT_COUNTERPART: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    include: (value: unknown) => Array.isArray(value) && value.length > 0,
    truncation: (value: unknown) => value !== 'disabled',
    background: (value: unknown) => value === true,
    conversation: () => true,
    prompt: () => true,
    max_tool_calls: () => true,
    context_management: () => true,
    stream_options: (value: unknown) => isJsonObject(value) && value.include_obfuscation === true,
  }),
);
/** What a message is made of; specification, section 4.3: it may also stand in the input by itself. */
const PART_TYPES = new Set<unknown>(['input_text', 'text', 'input_image', 'input_file', 'input_audio']);

/**
 * A responses request as a chat request, for a backend that has no responses. Unknown fields pass through.
 * @param request without `previous_response_id`: the context is already in its input
 * @throws Conflict `capability_not_supported` that names the field that would be lost
 */
export function toChatRequest(request: JsonObject): JsonObject {
  const fields = Object.entries(request).filter(([name, value]) => value !== null && !HANDLED.has(name));
  const missing = fields.find(([name, value]) => WITHOUT_COUNTERPART.get(name)?.(value));
  if (missing) throw lost(missing[0]);
  const kept = fields.filter(([name]) => !WITHOUT_COUNTERPART.has(name));
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [RENAMED.get(name) ?? name, value])),
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
  const items = objectsOf(input);
  for (let index = 0; index < items.length; index += 1) {
    const parts = partsFrom(items, index);
    if (parts.length === 0) addItem(messages, items[index] as JsonObject, `input[${index}]`);
    else messages.push({ role: 'user', content: contentOf(parts, 'input', index) });
    index += Math.max(0, parts.length - 1);
  }
  return messages;
}

/** The content parts that stand in an input from a place on, without a message around them: they are one of the user. */
function partsFrom(items: readonly JsonObject[], start: number): JsonObject[] {
  const end = items.findIndex(({ type }, index) => index >= start && !PART_TYPES.has(type));
  return items.slice(start, end < 0 ? undefined : end);
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

/**
 * One text stays a text: not every chat server reads parts.
 * @param first the place of the first part in the list that `path` names
 */
function contentOf(content: unknown, path: string, first = 0): unknown {
  if (!Array.isArray(content)) return content;
  const parts = objectsOf(content).map((part, index) => partOf(part, `${path}[${first + index}]`));
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
