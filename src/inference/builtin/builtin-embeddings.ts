import { BadRequest } from '../../errors.js';
import { textsOfInput } from './builtin-input.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { hashEmbedding } from './hash-embedding.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { countTokens } from '../calls/tokenizer.js';

const DEFAULT_DIMENSIONS = 384;
const MOST_DIMENSIONS = 4_096;

/**
 * Hash vectors of the inputs, as lists of numbers.
 * @throws BadRequest that names `dimensions` or `input`, or the reason of the signal
 */
export async function embed(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : DEFAULT_DIMENSIONS;
  if (dimensions > MOST_DIMENSIONS) {
    throw new BadRequest(`dimensions must be at most ${MOST_DIMENSIONS} for this model.`, 'dimensions');
  }
  const texts = await textsOfInput(body.input, 'input');
  const cooperation = new CooperativeYield(signal);
  const data: JsonObject[] = [];
  for (const [index, text] of texts.entries()) {
    data.push({ object: 'embedding', index, embedding: [...(await hashEmbedding(text, dimensions, cooperation))] });
  }
  const tokens = await countTokens(texts, signal);
  return { object: 'list', model: body.model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}
