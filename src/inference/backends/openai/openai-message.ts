import type { ByokKey } from '../../../access/caller.js';
import { BadRequest } from '../../../errors.js';
import type { OriginRequest } from '../../../platform/net/egress.js';
import type { AnswerOptions, Operation } from '../backend.js';
import type { JsonObject } from '../../../platform/json/json-object.js';

const PATHS: Readonly<Record<Operation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  responses: '/responses',
  embeddings: '/embeddings',
};

/**
 * What is sent to a server of the chat-completions interface.
 * @throws BadRequest where the body is nested deeper than can be written
 */
export function toMessage(
  operation: Operation,
  body: JsonObject,
  { key, traceparent }: AnswerOptions,
): Pick<OriginRequest, 'method' | 'path' | 'body' | 'headers'> {
  const headers = traceparent === undefined ? key && keyHeaders(key) : { ...(key && keyHeaders(key)), traceparent };
  return { method: 'POST', path: PATHS[operation], body: encode(body), headers };
}

function encode(body: JsonObject): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest('The body is nested too deeply.');
    throw error;
  }
}

/** The caller's key in place of the configured one; the organization goes with the key that it belongs to. */
function keyHeaders({ apiKey, organization }: ByokKey): Record<string, string | undefined> {
  return { authorization: `Bearer ${apiKey}`, 'openai-organization': organization };
}
