import { isJsonObject, objectsOf } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import type { Capability, TextOperation } from '../backend.js';

const INSTRUCTING = new Set<unknown>(['system', 'developer']);

/** A request as servers of the chat-completions interface understand it, some of which are strict. */
export function toUpstreamBody(
  operation: TextOperation,
  body: JsonObject,
  supports: readonly Capability[],
): JsonObject {
  switch (operation) {
    case 'chat':
      return { ...body, messages: toMessages(objectsOf(body.messages), supports.includes('chat_developer')) };
    case 'responses':
      return Array.isArray(body.input) ? { ...body, input: body.input.map(withItemArguments) } : body;
    case 'embeddings':
      return supports.includes('embeddings_base64') ? body : withoutFormat(body);
    default:
      return body;
  }
}

/** Vectors are written here as they were asked for, however they come: many a server refuses what it does not know. */
function withoutFormat({ encoding_format: _format, ...body }: JsonObject): JsonObject {
  return body;
}

function toMessages(messages: readonly JsonObject[], knowsDeveloper: boolean): JsonObject[] {
  const called = messages.map(withCalls);
  return knowsDeveloper ? called : withOneSystemMessage(called);
}

/** Many chat templates take one system message at the most, and that first; few know the role of developers. */
function withOneSystemMessage(messages: readonly JsonObject[]): JsonObject[] {
  const instructing = messages.filter(({ role }) => INSTRUCTING.has(role));
  const [first] = instructing;
  if (!first) return [...messages];
  const others = messages.filter(({ role }) => !INSTRUCTING.has(role));
  const { content } =
    instructing.length === 1 ? first : { content: joined(instructing.map((message) => message.content)) };
  return [{ ...first, role: 'system', content }, ...others];
}

/** All contents in their order: a text where they are texts, since not every server reads parts. */
function joined(contents: readonly unknown[]): unknown {
  const said = contents.filter((content) => (content ?? '') !== '');
  const parts = said.flatMap((content) => (Array.isArray(content) ? content : [{ type: 'text', text: content }]));
  const texts = parts.map((part) => (isJsonObject(part) && part.type === 'text' ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : parts;
}

/** A message whose calls of tools have arguments. */
function withCalls(message: JsonObject): JsonObject {
  const { tool_calls: calls, function_call: single } = message;
  if (!Array.isArray(calls) && !isJsonObject(single)) return message;
  return {
    ...message,
    ...(Array.isArray(calls) && { tool_calls: calls.map(withCalled) }),
    ...(isJsonObject(single) && { function_call: withArguments(single) }),
  };
}

function withCalled(call: unknown): unknown {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return call;
  return { ...call, function: withArguments(call.function) };
}

function withItemArguments(item: unknown): unknown {
  return isJsonObject(item) && item.type === 'function_call' ? withArguments(item) : item;
}

/** Servers read arguments as JSON, which an empty text is not. */
function withArguments(called: JsonObject): JsonObject {
  const { arguments: given } = called;
  const isEmpty = given === undefined || given === null || (typeof given === 'string' && given.trim() === '');
  return isEmpty ? { ...called, arguments: '{}' } : called;
}
