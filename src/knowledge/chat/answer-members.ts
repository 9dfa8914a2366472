import { BadUpstream } from '../../errors.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Members of a message, or of a piece of one, that are texts; the first is the answer. */
export const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;
/** Those of one part of a content. */
export const PART_TEXTS = ['text', 'refusal'] as const;

const ANSWER = new Set('id object created model choices usage system_fingerprint service_tier'.split(' '));
const CHOICE = new Set(['index', 'message', 'delta', 'finish_reason', 'logprobs']);
const MESSAGE = new Set<string>(['role', 'tool_calls', 'function_call', ...TEXTS]);
const PART = new Set<string>(['type', ...PART_TEXTS]);

/**
 * Leaves of an answer, or of a piece of one, what a client of chats knows: servers that search by themselves say of their
 * sources in members of their own, which nobody has checked.
 * @returns its choices
 * @throws BadUpstream where they have another form
 */
export function keepKnown(answer: JsonObject): JsonObject[] {
  keep(answer, ANSWER);
  const choices = answer.choices ?? [];
  if (!Array.isArray(choices) || !choices.every(isJsonObject)) throw malformed();
  for (const choice of choices) {
    keep(choice, CHOICE);
    // They are those of a text that the client does not get.
    if (choice.logprobs) choice.logprobs = null;
    for (const name of ['message', 'delta']) {
      const message = choice[name] ?? {};
      if (!isJsonObject(message)) throw malformed();
      keep(message, MESSAGE);
    }
  }
  return choices;
}

/** The same of a part of a content. */
export function keepKnownOfPart(part: JsonObject): void {
  keep(part, PART);
}

function keep(holder: JsonObject, known: ReadonlySet<string>): void {
  for (const name of Object.keys(holder)) if (!known.has(name)) delete holder[name];
}

function malformed(): BadUpstream {
  return new BadUpstream('The model server sent choices that make no sense.');
}
