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

/**
 * Requires that all vectors have one width: what has another cannot be compared with them.
 * @param dimensions the width that was asked for, where one was
 * @throws BadUpstream that names `dimensions`
 */
export function requireWidth(embeddings: readonly JsonObject[], dimensions: unknown): void {
  const widths = [...new Set(embeddings.map(({ embedding }) => widthOf(embedding)))];
  const asked = typeof dimensions === 'number' ? dimensions : widths[0];
  if (widths.every((width) => width === asked)) return;
  const told = `The model server answered vectors of ${widths.join(' and ')} numbers`;
  const wrong = asked === dimensions ? `where dimensions asks for ${asked}` : 'as dimensions of one model';
  throw new BadUpstream(`${told} ${wrong}.`, 'dimensions');
}

function encode(vector: unknown, format: EncodingFormat): number[] | string {
  if (!isVector(vector)) throw new BadUpstream('The model server answered a vector that is none.');
  if (typeof vector === 'string') return format === 'base64' ? vector : [...floatsOf(vector)];
  return format === 'float' ? vector : base64Of(vector);
}

function isVector(value: unknown): value is number[] | string {
  const width = widthOf(value);
  return width > 0 && Number.isInteger(width) && (typeof value === 'string' || (value as unknown[]).every(isNumber));
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

/** How many numbers a vector has, whichever way it is written; 0 where it is none. */
function widthOf(vector: unknown): number {
  if (typeof vector === 'string') return Buffer.byteLength(vector, 'base64') / 4;
  return Array.isArray(vector) ? vector.length : 0;
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
