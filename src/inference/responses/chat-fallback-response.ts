import { isJsonObject, objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { FallbackTools } from './chat-fallback-tools.js';
import { newItemId } from './response-shape.js';

/** Why an answer is not complete, by the `finish_reason` of chat. */
const INCOMPLETE: ReadonlyMap<unknown, string> = new Map([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

/** Whether an answer was cut, by the `finish_reason` of chat. */
export function isCut(finishReason: unknown): boolean {
  return INCOMPLETE.has(finishReason);
}

/** What chat tells of a response that has ended. @param told the completion, or the last chunk of a stream */
export function endedResponse(told: JsonObject, finishReason: unknown, output: readonly JsonObject[]): JsonObject {
  const reason = INCOMPLETE.get(finishReason);
  return {
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output,
    service_tier: told.service_tier,
    usage: told.usage,
  };
}

/** A whole chat completion as a response. @param tools of the request */
export function toResponse(completion: JsonObject, tools: FallbackTools): JsonObject {
  const [choice = {}] = objectsOf(completion.choices);
  const [message = {}] = objectsOf([choice.message]);
  const output: JsonObject[] = [];
  for (const [field, part] of PARTS) {
    const text = message[field];
    if (isText(text)) output.push(textItem(part, 'completed', [textPart(part, text, logprobsOf(choice))]));
  }
  for (const call of objectsOf(message.tool_calls)) output.push(callItem('completed', call, tools));
  const last = output.at(-1);
  if (last && isCut(choice.finish_reason)) last.status = 'incomplete';
  return { ...endedResponse(completion, choice.finish_reason, output), created_at: completion.created };
}

/** What a model writes: what it thinks, what it says, or its refusal to answer. */
export type PartType = 'reasoning_text' | 'output_text' | 'refusal';

/** The fields of a chat message, or of a delta, that hold what a model writes. */
export const PARTS: readonly (readonly [field: string, part: PartType])[] = [
  ['reasoning_content', 'reasoning_text'],
  ['content', 'output_text'],
  ['refusal', 'refusal'],
];

/** A part of an output item. @param logprobs of the tokens of what the model says */
export function textPart(type: PartType, text: string, logprobs: readonly JsonObject[] = []): JsonObject {
  if (type === 'refusal') return { type, refusal: text };
  return type === 'reasoning_text' ? { type, text } : { type, text, annotations: [], logprobs };
}

/** The log probabilities that a choice tells, or a piece of it, of what the model says. */
export function logprobsOf({ logprobs }: JsonObject): JsonObject[] {
  return objectsOf(isJsonObject(logprobs) ? logprobs.content : []).map((token) => ({
    ...withBytes(token),
    top_logprobs: objectsOf(token.top_logprobs).map(withBytes),
  }));
}

/** Chat may leave out the bytes of a token, a response may not. */
function withBytes(token: JsonObject): JsonObject {
  return { ...token, bytes: token.bytes ?? [...Buffer.from(textOr(token.token, ''))] };
}

/** The output item that holds a part: a message of the assistant, or what it thought. */
export function textItem(type: PartType, status: string, content: readonly JsonObject[]): JsonObject {
  return type === 'reasoning_text'
    ? { type: 'reasoning', id: newItemId('rs'), status, summary: [], content }
    : { type: 'message', id: newItemId('msg'), role: 'assistant', status, content };
}

/** A call of a tool, as an output item. @param tools of the request */
export function callItem(status: string, call: JsonObject, tools: FallbackTools): JsonObject {
  const [{ name = '' } = {} as JsonObject] = objectsOf([call.function]);
  const callId = isText(call.id) ? call.id : newItemId('call');
  const called = tools.givenName(name);
  return {
    type: 'function_call',
    id: newItemId('fc'),
    call_id: callId,
    ...called,
    arguments: argumentsOf(call),
    status,
  };
}

/** What a tool is called with, as text: some servers send the object itself. */
export function argumentsOf({ function: called }: JsonObject): string {
  const given = isJsonObject(called) ? called.arguments : undefined;
  return isJsonObject(given) ? JSON.stringify(given) : textOr(given, '');
}

/** Whether a JSON value is a text that says something. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
