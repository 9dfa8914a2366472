import { toRestName } from '../text/rest-name.js';
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

/** Without the nulls that stand for what was left out in the objects of an input, and without its classes. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}
