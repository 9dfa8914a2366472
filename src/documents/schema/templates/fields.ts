import type { JsonObject } from '../../../platform/json/json-object.js';

/**
 * A text of a template.
 * @param labels what documents call it, in English: the rules of the extractor know the words of other languages
 */
export function text(description: string, ...labels: readonly string[]): JsonObject {
  const [title, ...others] = labels;
  return {
    type: 'string',
    description,
    ...(title !== undefined && { title }),
    ...(others.length > 0 && { 'x-labels': others }),
  };
}

/** An amount of money, or of anything else. */
export function number(description: string, ...labels: readonly string[]): JsonObject {
  return { ...text(description, ...labels), type: 'number' };
}

/** A day. */
export function date(description: string, ...labels: readonly string[]): JsonObject {
  return { ...text(description, ...labels), format: 'date' };
}

/** Fields that belong together. */
export function group(
  description: string,
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) };
}

/** What there are several of, such as the lines of a table. */
export function list(description: string, items: JsonObject, ...labels: readonly string[]): JsonObject {
  return { ...text(description, ...labels), type: 'array', items };
}
