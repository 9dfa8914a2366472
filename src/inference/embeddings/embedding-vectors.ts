import { BadUpstream } from '../../errors.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** How a vector is written: a list of numbers, or base64 of little-endian 32-bit floats. */
export type EncodingFormat = 'float' | 'base64';

/**
 * The embeddings of an answer in the order of the inputs, written as asked, whichever way the upstream writes them.
 * @param count of the inputs
 * @param offset what is added to each index
 * @throws BadUpstream where there is not one vector for each input
 */
export function embeddingsOf(answer: JsonObject, count: number, format: EncodingFormat, offset: number): JsonObject[] {
  const entries = Array.isArray(answer.data) ? answer.data : [];
  const ordered = new Map<number, JsonObject>();
  for (const [position, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue;
    const index = Number.isSafeInteger(entry.index) ? (entry.index as number) : position;
    if (index < 0 || index >= count) continue;
    const { encoding_format: _format, ...members } = entry;
    ordered.set(index, { ...members, index: offset + index, embedding: encode(entry.embedding, format) });
  }
  if (entries.length !== count || ordered.size !== count) {
    throw new BadUpstream('The model server did not answer one vector for each input.');
  }
  return Array.from({ length: count }, (_, index) => ordered.get(index) as JsonObject);
}

function encode(vector: unknown, format: EncodingFormat): number[] | string {
  if (typeof vector === 'string') return format === 'base64' ? vector : [...floatsOf(vector)];
  if (!isVector(vector)) throw new BadUpstream('The model server answered a vector that is none.');
  return format === 'float' ? vector : base64Of(vector);
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}

function floatsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(4 * index));
}

function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(4 * vector.length);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes.toString('base64');
}
