import { randomUUID } from 'node:crypto';
import { textsOfInput } from './builtin-input.js';
import { refuseUnsupported } from './builtin-limits.js';
import { toFrame } from '../completions/chunk-stream-codec.js';
import { END_MARK } from '../../graph/data-batches.js';
import { extractAnswer } from './extractive-answer.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { promptTexts } from '../calls/prompt.js';
import { countTokens, takeTokens } from '../calls/tokenizer.js';
import { toUsageMember } from '../calls/usage.js';

/** The sentences that answer one conversation or one prompt. */
interface ExtractiveChoice {
  readonly text: string;
  readonly finishReason: 'stop' | 'length';
}

/** The answers to one request. */
export interface ExtractiveAnswer {
  readonly operation: 'chat' | 'completions';
  readonly model: string;
  readonly choices: readonly ExtractiveChoice[];
  readonly usage: JsonObject;
}

/**
 * Answers a conversation, or each prompt, with its own sentences.
 * @throws Conflict `capability_not_supported` that names what it cannot do, or the reason of the signal
 */
export async function extract(
  operation: ExtractiveAnswer['operation'],
  body: JsonObject,
  signal: AbortSignal,
): Promise<ExtractiveAnswer> {
  refuseUnsupported(body);
  const prompts = operation === 'chat' ? [] : await textsOfInput(body.prompt, 'prompt');
  const conversations =
    operation === 'chat' ? [objectsOf(body.messages)] : prompts.map((content) => [{ role: 'user', content }]);
  const promptTokens = await countTokens(operation === 'chat' ? promptTexts(body) : prompts, signal);
  let completionTokens = 0;
  const choices: ExtractiveChoice[] = [];
  for (const messages of conversations) {
    const stopped = cutAtStop((await extractAnswer(messages, signal)).join(' '), body.stop);
    const { text, tokens } = await takeTokens(stopped, boundOf(body));
    completionTokens += tokens;
    choices.push({ text, finishReason: text.length < stopped.length ? 'length' : 'stop' });
  }
  const usage = toUsageMember({ promptTokens, completionTokens, precision: 'exact' });
  return { operation, model: String(body.model), choices, usage };
}

/** The newer name goes before the older; less than 0 is no bound. */
function boundOf({ max_completion_tokens: newer, max_tokens: older }: JsonObject): number {
  const bound = newer ?? older;
  return typeof bound === 'number' && bound >= 0 ? bound : Number.POSITIVE_INFINITY;
}

/** The answers as one JSON object. */
export function toChoices({ operation, model, choices, usage }: ExtractiveAnswer): JsonObject {
  return {
    ...head(operation === 'chat' ? 'chat.completion' : 'text_completion', model),
    choices: choices.map(({ text, finishReason }, index) => ({
      index,
      ...(operation === 'chat' ? { message: { role: 'assistant', content: text } } : { text, logprobs: null }),
      finish_reason: finishReason,
    })),
    usage,
  };
}

/** The answers as events, word by word, one after another. */
export function toFrames({ operation, model, choices, usage }: ExtractiveAnswer): Buffer[] {
  const isChat = operation === 'chat';
  const shared = head(isChat ? 'chat.completion.chunk' : 'text_completion', model);
  const frame = (index: number, piece: JsonObject, reason: string | null = null): Buffer =>
    toFrame({ ...shared, choices: [{ index, ...piece, finish_reason: reason }] });
  const parts = choices.flatMap(({ text, finishReason }, index) => {
    const words = text.match(/\S+\s*/g) ?? [];
    return [
      ...(isChat ? [frame(index, { delta: { role: 'assistant', content: '' } })] : []),
      Buffer.concat(words.map((word) => frame(index, isChat ? { delta: { content: word } } : { text: word }))),
      frame(index, isChat ? { delta: {} } : { text: '' }, finishReason),
    ];
  });
  return [...parts, Buffer.concat([toFrame({ ...shared, choices: [], usage }), END_MARK])];
}

function head(object: string, model: string): JsonObject {
  const prefix = object === 'text_completion' ? 'cmpl' : 'chatcmpl';
  return { id: `${prefix}-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

/** A text up to the first of the texts that end it. */
function cutAtStop(text: string, stop: unknown): string {
  const ends = [stop]
    .flat()
    .filter((end): end is string => typeof end === 'string' && end !== '')
    .map((end) => text.indexOf(end))
    .filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
