import { parseJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** A string, or one of the numbers that Python writes and JSON does not have. */
const STRING_OR_NO_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * The object that bytes hold as JSON, in which numbers that are none (`NaN`, `Infinity`), as servers in Python write
 * them, are null; undefined where they hold anything else.
 */
export function parseLenientJson(bytes: Buffer): JsonObject | undefined {
  const parsed = parseJsonObject(bytes);
  if (parsed || !/NaN|Infinity/.test(bytes.toString('latin1'))) return parsed;
  const mended = bytes
    .toString('utf8')
    .replaceAll(STRING_OR_NO_NUMBER, (found) => (found.startsWith('"') ? found : 'null'));
  return parseJsonObject(Buffer.from(mended));
}
