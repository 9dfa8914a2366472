import { BadUpstream } from '../../errors.js';
import { findExcess, MAX_JSON_DEPTH } from '../../platform/json/json-depth.js';
import type { JsonLimits } from '../../platform/json/json-depth.js';

/** What is within an answer is so many levels below it. */
const LEVELS = MAX_JSON_DEPTH + 1;

/** Of a whole answer of texts, or an event that repeats one: a part costs a thousand times what a byte of text does. */
export const TEXT_JSON: JsonLimits = { depth: LEVELS, nodes: 200_000, items: 1_000_000 };
/** The same for servers that the operator vouches for: twenty log probabilities a token make a hundred parts of it. */
export const TRUSTED_TEXT_JSON: JsonLimits = { ...TEXT_JSON, nodes: 600_000, items: 2_000_000 };
/** Of embeddings, which are asked for in batches of 256: that many vectors of 16,384 numbers, and what goes with them. */
export const VECTOR_JSON: JsonLimits = { depth: LEVELS, nodes: 20_000, items: 4_200_000 };
/** Of a list of models: a hundred parts for each of a thousand. */
export const MODELS_JSON: JsonLimits = { depth: LEVELS, nodes: 100_000, items: 100_000 };
/** Of an event that has a part of an answer, or of an error. */
export const CHUNK_JSON: JsonLimits = { depth: LEVELS, nodes: 20_000, items: 1_000_000 };

/** The error for JSON of a model server that would keep the process busy for long; undefined: it may be parsed. */
export function excessOf(bytes: Buffer, limits: JsonLimits): BadUpstream | undefined {
  const excess = findExcess(bytes, limits);
  if (!excess) return undefined;
  if (excess === 'depth') return new BadUpstream('The answer of the model server is nested too deeply.');
  return new BadUpstream('The answer of the model server has too many parts.');
}
