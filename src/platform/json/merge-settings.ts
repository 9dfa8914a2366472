import { isJsonObject } from './json-object.js';

/**
 * Settings with those of an input put over them, under the names of REST.
 * @param input its names are those of GraphQL; what is undefined keeps its value
 * @param removable settings that null takes away; any other null stays, for the check to refuse
 */
export function mergeSettings(before: object, input: object, removable: ReadonlySet<string>): Record<string, unknown> {
  const settings: Record<string, unknown> = { ...before };
  for (const [field, value] of Object.entries(input)) {
    const name = toRestName(field);
    if (value === undefined) continue;
    settings[name] = value === null && removable.has(name) ? undefined : toPlain(value);
  }
  return settings;
}

/** The REST name of a field of the graph, such as `applies_to` of `appliesTo`. */
export function toRestName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Without the nulls that stand for what was left out in the objects of an input, and without its classes. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}
