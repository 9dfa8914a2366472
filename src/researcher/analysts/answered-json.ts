import { findExcess } from '../../platform/json/json-depth.js';
import type { JsonLimits } from '../../platform/json/json-depth.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** UTF-16 units of what a model answers. */
const LONGEST = 1_000_000;
const LIMITS: JsonLimits = { depth: 16, nodes: 20_000, items: 20_000 };

/**
 * The JSON object that a chat has answered, also in a fence of code or among some words.
 * @returns undefined where it is none, or too large
 */
export function answeredJson(answer: JsonObject): JsonObject | undefined {
  const [choice] = objectsOf(answer.choices);
  const [message] = objectsOf([choice?.message]);
  const content = message?.content;
  // JSON within a text was not looked at when the answer was read.
  if (typeof content !== 'string' || content.length > LONGEST) return undefined;
  const json = content.slice(Math.max(0, content.indexOf('{')), content.lastIndexOf('}') + 1);
  if (findExcess(Buffer.from(json), LIMITS)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The texts of a list, those alone. */
export function textsOf(value: unknown, most: number): string[] {
  return Array.isArray(value) ? value.slice(0, most).filter((one) => typeof one === 'string') : [];
}
