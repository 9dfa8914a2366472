/** A JSON object whose members are not known beforehand. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's own member; undefined where it has none. What it inherits, as `constructor` is, is none. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Gives an object a member of whatever name: assigned, `__proto__` would be what the object inherits from. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The objects of a JSON list; anything else is none. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The object that bytes hold as JSON; undefined where they hold anything else. */
export function parseJsonObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON value where it is a text. */
export function textOr<T extends string | null>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
