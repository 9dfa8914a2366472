/** A JSON object whose members are not known beforehand. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a JSON list; anything else is none. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
