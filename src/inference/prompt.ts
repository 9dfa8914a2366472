import { objectsOf, textOr } from './json.types.js';
import type { JsonObject } from './json.types.js';

/** The text of a message: its content, or the text parts of it. */
export function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** The texts of a request of any operation: its messages, prompt, input and instructions, empty ones left out. */
export function promptTexts({ messages, prompt, input, instructions }: JsonObject): string[] {
  const bare = [prompt, input, instructions].flat().filter((text) => typeof text === 'string');
  const items = [...objectsOf(messages), ...objectsOf(input)];
  // What a tool has answered is the output of its call; a content part may stand by itself.
  const outputs = items.map(({ output }) => (typeof output === 'string' ? output : textOf({ content: output })));
  const parts = items.map(({ text }) => textOr(text, ''));
  return [...bare, ...items.map(textOf), ...outputs, ...parts].filter(Boolean);
}

/** How many tokens of a request are given as numbers. */
export function promptTokenCount({ prompt, input }: JsonObject): number {
  return [prompt, input].flat(2).filter((token) => typeof token === 'number').length;
}

/** The length of a request's texts in UTF-8 bytes; a token that is given as a number counts three. */
export function promptBytes(body: JsonObject): number {
  return promptTexts(body).reduce((sum, text) => sum + Buffer.byteLength(text), 3 * promptTokenCount(body));
}

/** Whether a request asks to see its usage in the stream. */
export function wantsUsage(body: JsonObject): boolean {
  const [options] = objectsOf([body.stream_options]);
  return options?.include_usage === true;
}

/** The most tokens of an answer, where the request sets a bound. */
export function maxTokensOf(body: JsonObject): number | undefined {
  const bound = body.max_completion_tokens ?? body.max_tokens ?? body.max_output_tokens;
  return typeof bound === 'number' ? bound : undefined;
}

/** How many answers a request asks for: `n` for each of its prompts. */
export function answersOf({ n, prompt }: JsonObject): number {
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  return (typeof n === 'number' ? n : 1) * prompts;
}
