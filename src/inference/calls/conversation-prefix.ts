import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Longer beginnings tell conversations apart no better. */
const PREFIX_CHARACTERS = 4_096;

/**
 * The beginning of a conversation, which all of its calls have in common: everything up to the first words of its user.
 * The server that has answered one call has computed this part already.
 */
export function conversationPrefix({ model, instructions, messages, input, prompt }: JsonObject): string {
  const turns = messages ?? input ?? prompt;
  const beginning = Array.isArray(turns) ? turns.slice(0, turns.findIndex(isUserTurn) + 1 || 1) : turns;
  return JSON.stringify([model, instructions, beginning]).slice(0, PREFIX_CHARACTERS);
}

function isUserTurn(turn: unknown): boolean {
  return isJsonObject(turn) && turn.role === 'user';
}
