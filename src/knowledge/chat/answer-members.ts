import { BadUpstream } from '../../errors.js';
import { indexOf } from '../../inference/domain.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Members of a message, or of a piece of one, that are texts; the first is the answer. */
export const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

type Form = (value: unknown) => boolean;

/** A name, such as that of a role: nothing that says anything. */
const NAME = /^[\w.:-]{0,128}$/;
const isName: Form = (value) => value === null || (typeof value === 'string' && NAME.test(value));
const isNumber: Form = (value) => typeof value === 'number';
const isObject: Form = (value) => value === null || isJsonObject(value);
const isList: Form = (value) => value === null || (Array.isArray(value) && value.every(isJsonObject));
const isAny: Form = () => true;

/** What clients know, and the form that it has. What is a text of the answer is looked through elsewhere. */
const ANSWER: Readonly<Record<string, Form>> = {
  id: isName,
  object: isName,
  created: isNumber,
  model: isAny,
  choices: isAny,
  usage: isObject,
  system_fingerprint: isName,
  service_tier: isName,
};
const CHOICE = { index: isAny, finish_reason: isName, logprobs: isAny };
const MESSAGE = { role: isName, tool_calls: isList, function_call: isObject, ...all(TEXTS) };

/**
 * Leaves of an answer, or of a piece of one, what a client of chats knows: servers that search by themselves say of their
 * sources in members of their own, which nobody has checked.
 * @param holder what has the texts of a choice: `message` in a whole answer, `delta` in a piece of one
 * @param count how many choices were asked for
 * @returns its choices, each with its index as a number
 * @throws BadUpstream where they have another form, or there are others than were asked for
 */
export function keepKnown(answer: JsonObject, holder: 'message' | 'delta', count: number): JsonObject[] {
  keep(answer, ANSWER);
  if (isJsonObject(answer.usage)) answer.usage = countsOf(answer.usage);
  const choices = answer.choices ?? [];
  if (!Array.isArray(choices) || !choices.every(isJsonObject)) throw malformed();
  for (const [position, choice] of choices.entries()) {
    keep(choice, { ...CHOICE, [holder]: isAny });
    const index = indexOf(choice, position);
    if (!Number.isInteger(index) || index < 0 || index >= count) throw malformed();
    choice.index = index;
    // They are those of a text that the client does not get.
    if (choice.logprobs) choice.logprobs = null;
    const message = choice[holder] ?? {};
    if (!isJsonObject(message)) throw malformed();
    keep(message, MESSAGE);
  }
  return choices;
}

/** The texts of the parts of a content. Parts of other kinds are left out: clients skip them, and join what is around. */
export function textsOfParts(parts: readonly unknown[]): string[] {
  return objectsOf(parts).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}

function keep(holder: JsonObject, known: Readonly<Record<string, Form>>): void {
  for (const [name, value] of Object.entries(holder)) {
    if (!Object.hasOwn(known, name) || !known[name]?.(value)) delete holder[name];
  }
}

/** The numbers of a usage, and those of its details. */
function countsOf(usage: JsonObject, isDetail = false): JsonObject {
  const counts = Object.entries(usage).flatMap(([name, value]) => {
    if (!isName(name)) return [];
    if (value === null || isNumber(value)) return [[name, value]];
    return isDetail || !isJsonObject(value) ? [] : [[name, countsOf(value, true)]];
  });
  return Object.fromEntries(counts) as JsonObject;
}

function all(names: readonly string[]): Record<string, Form> {
  return Object.fromEntries(names.map((name) => [name, isAny]));
}

function malformed(): BadUpstream {
  return new BadUpstream('The model server sent choices that make no sense.');
}
