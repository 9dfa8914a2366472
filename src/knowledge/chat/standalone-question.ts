import { BadRequest, PlatformError } from '../../errors.js';
import { BUILTIN_CHAT_MODEL, textOf } from '../../inference/domain.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Of a question, of which its beginning and its end say most. */
const QUESTION_CHARACTERS = 2_000;
/** The last messages of a conversation, which a question may mean, and how much of each. */
const TURNS = 6;
const TURN_CHARACTERS = 1_500;
/** Questions that one without a model is looked for with. */
const LAST_QUESTIONS = 3;
const ANSWER_TOKENS = 200;

const INSTRUCTIONS = `Below is a conversation. Write its last question so that it can be understood alone: put names and things in the place of words that point to what was said before, and change nothing else. Keep its language. Do not answer it. Write the question and nothing more.`;

/** A message of a conversation that somebody has said. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/**
 * The last question of a conversation, so that it can be looked for alone.
 * @param request a chat completion's
 * @param complete asks a model; where it cannot, or answers nothing of use, the last questions stand for it together
 * @throws BadRequest where nobody asks anything; what `complete` throws, but for what the model server refuses or fails at
 */
export async function standaloneQuestion(
  request: JsonObject,
  complete: (request: JsonObject) => Promise<JsonObject>,
): Promise<string> {
  const turns = turnsOf(request);
  const asked = turns.findLastIndex(({ role }) => role === 'user');
  const question = turns[asked]?.text;
  if (question === undefined) throw new BadRequest('messages has no question of a user.', 'messages');
  const before = turns.slice(0, asked);
  if (!before.some(({ role }) => role === 'user')) return shortened(question);
  const told = before.filter(({ role }) => role === 'user').map(({ text }) => text);
  const joined = shortened([...told.slice(1 - LAST_QUESTIONS), question].join('\n'));
  if (request.model === BUILTIN_CHAT_MODEL) return joined;
  const conversation = turns
    .slice(Math.max(0, asked + 1 - TURNS), asked + 1)
    .map(spoken)
    .join('\n\n');
  const rewritten = await rewrite(request.model, conversation, complete);
  return rewritten === '' ? joined : shortened(rewritten);
}

/** The last question as a model writes it; empty where it does not. */
async function rewrite(
  model: unknown,
  conversation: string,
  complete: (request: JsonObject) => Promise<JsonObject>,
): Promise<string> {
  const messages = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: conversation },
  ];
  try {
    const answer = await complete({ model, messages, max_tokens: ANSWER_TOKENS });
    const [choice] = objectsOf(answer.choices);
    const [message] = objectsOf([choice?.message]);
    // A hostile answer is as long as it likes.
    const text = shortened(message ? textOf(message) : '');
    // Some models think aloud, and come to no end here.
    return text.includes('<think>') ? '' : text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  } catch (error) {
    // What is wrong with the model, the answer itself will tell.
    if (error instanceof PlatformError && (error.status === 400 || error.status >= 500)) return '';
    throw error;
  }
}

function turnsOf({ messages }: JsonObject): Turn[] {
  return objectsOf(messages).flatMap((message) => {
    const { role } = message;
    const text = textOf(message).trim();
    return (role === 'user' || role === 'assistant') && text !== '' ? [{ role, text }] : [];
  });
}

function spoken({ role, text }: Turn): string {
  return `${role === 'user' ? 'User' : 'Assistant'}: ${text.slice(0, TURN_CHARACTERS)}`;
}

function shortened(question: string): string {
  if (question.length <= QUESTION_CHARACTERS) return question;
  const half = QUESTION_CHARACTERS / 2;
  return `${question.slice(0, half)}\n${question.slice(-half)}`.toWellFormed();
}
