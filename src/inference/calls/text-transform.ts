import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isMedia } from './media-parts.js';
import { isLabel, isOption, isTokens } from './prompt.js';

/** A text that a model writes, piece by piece. */
export interface AnswerText {
  /** What may be sent after another piece; the rest is held back until its continuation is known. */
  write(piece: string): string;
  /** What was held back, when the text has ended. */
  end(): string;
}

/**
 * Changes the texts of one call: those that its model reads, and those that it writes. It is made for one call, and set
 * on the call it reaches every operation, whole and streamed, whichever interface the backend has. The pieces of a text
 * become together what the whole text becomes. What fails ends the call as a failure of this server, so an error of a
 * transform must not quote a text: it is logged.
 */
export interface TextTransform {
  /** What the model reads in place of a text. */
  transformPrompt(text: string): string | Promise<string>;
  /** Begins a text that the model writes. */
  beginAnswer(): AnswerText;
}

/** What a whole text that the model wrote becomes. */
function transformAnswerText(transform: TextTransform, text: string): string {
  const answer = transform.beginAnswer();
  return answer.write(text) + answer.end();
}

/** Several transforms as one: prompts pass them in order, answers in reverse; undefined where there is none. */
export function composeTransforms(transforms: readonly TextTransform[]): TextTransform | undefined {
  if (transforms.length < 2) return transforms[0];
  const reversed = transforms.toReversed();
  return {
    async transformPrompt(text) {
      let changed = text;
      for (const transform of transforms) changed = await transform.transformPrompt(changed);
      return changed;
    },
    beginAnswer() {
      const answers = reversed.map((transform) => transform.beginAnswer());
      return {
        write: (piece) => answers.reduce((text, answer) => answer.write(text), piece),
        end: () => answers.reduce((text, answer) => answer.write(text) + answer.end(), ''),
      };
    },
  };
}

/** A request whose texts a model reads as the transform has them, at whatever place they stand; the request itself stays. */
export async function transformRequest(request: JsonObject, transform: TextTransform): Promise<JsonObject> {
  const members = Object.entries(request).map(async ([name, value]) => {
    return [name, isOption(name, value) ? value : await transformValue(value, transform)] as const;
  });
  return Object.fromEntries(await Promise.all(members));
}

async function transformValue(value: unknown, transform: TextTransform): Promise<unknown> {
  if (typeof value === 'string') return transform.transformPrompt(value);
  if (Array.isArray(value)) {
    // Prompts of tokens have no texts, and may have a million of them.
    if (isTokens(value)) return value;
    return Promise.all(value.map((entry) => transformValue(entry, transform)));
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(async ([name, member]) => {
    const stays = isLabel(name, member) || isMedia(value, name);
    return [name, stays ? member : await transformValue(member, transform)] as const;
  });
  return Object.fromEntries(await Promise.all(members));
}

/** The members of answers that hold what a model wrote. */
const WRITTEN = new Set([
  'arguments',
  'code',
  'content',
  'input',
  'output',
  'output_text',
  'reasoning',
  'reasoning_content',
  'refusal',
  'text',
]);

/**
 * Changes in place what a model wrote in a whole answer, or in an event that repeats a part of one. Log probabilities go:
 * they tell the texts token by token as the model wrote them.
 */
export function transformAnswer(answer: JsonObject, transform: TextTransform): void {
  for (const [name, value] of Object.entries(answer)) {
    if (name === 'logprobs') answer[name] = Array.isArray(value) ? [] : null;
    else answer[name] = transformWritten(name, value, transform);
  }
}

function transformWritten(name: string, value: unknown, transform: TextTransform): unknown {
  if (typeof value === 'string') return WRITTEN.has(name) ? transformAnswerText(transform, value) : value;
  if (Array.isArray(value)) return value.map((entry) => transformWritten(name, entry, transform));
  if (isJsonObject(value)) transformAnswer(value, transform);
  return value;
}
