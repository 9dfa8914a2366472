import { objectsOf } from './json.types.js';
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

/** The texts of a request's messages, empty ones left out. */
export function promptTexts(body: JsonObject): string[] {
  return objectsOf(body.messages).map(textOf).filter(Boolean);
}

/** Whether a request asks to see its usage in the stream. */
export function wantsUsage(body: JsonObject): boolean {
  const [options] = objectsOf([body.stream_options]);
  return options?.include_usage === true;
}

/** The most tokens of an answer, where the request sets a bound. */
export function maxTokensOf(body: JsonObject): number | undefined {
  const bound = body.max_completion_tokens ?? body.max_tokens;
  return typeof bound === 'number' ? bound : undefined;
}
