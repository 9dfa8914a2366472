import { BadRequest } from '../../errors.js';
import { isDeeperThan, MAX_JSON_DEPTH } from './json-depth.js';
import { isJsonObject } from './json-object.js';
import type { JsonObject } from './json-object.js';

/**
 * A JSON object as the database can hold it, and compare with others: not nested too deeply, with numbers that JSON has, and
 * texts that are Unicode without NUL.
 * @param name of the field
 * @throws BadRequest that names it
 */
export function requireStorable(value: unknown, name: string): JsonObject {
  if (!isJsonObject(value)) throw new BadRequest(`${name} must be a JSON object.`, name);
  if (isDeeperThan(MAX_JSON_DEPTH, value)) {
    throw new BadRequest(`${name} is nested deeper than ${MAX_JSON_DEPTH} levels.`, name);
  }
  if (!isStorable(value)) {
    throw new BadRequest(`${name} has a number or a text that cannot be stored: too large, or no Unicode.`, name);
  }
  return value;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (Array.isArray(value)) return value.every(isStorable);
  return !isJsonObject(value) || Object.entries(value).flat().every(isStorable);
}
