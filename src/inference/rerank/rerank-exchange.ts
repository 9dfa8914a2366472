import { BadUpstream } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { Exchange, ExchangeType, Upstream } from '../calls/model-call.js';

/**
 * Calls for scores of texts by how well they fit a query, as Jina, llama.cpp, vLLM and others answer them at `/rerank`:
 * `query`, `documents`, `top_n`; `results` of `index` and `relevance_score`.
 */
export const RERANK: ExchangeType<Exchange> = {
  operation: 'rerank',
  create: (request, { model }) => new RerankExchange(request, model.id),
};

class RerankExchange implements Exchange {
  constructor(
    readonly request: JsonObject,
    private readonly model: string,
  ) {}

  ask(body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    return upstream.run(async ({ backend, model }, options) => {
      const answer = await backend.answer('rerank', { ...body, model: model.upstream }, options);
      const count = (body.documents as readonly string[]).length;
      return { results: resultsOf(answer, count), ...usageOf(answer) };
    });
  }

  finish(answer: JsonObject, _callId: string, { promptTokens }: MeteredUsage): JsonObject {
    const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
    return { ...answer, object: 'list', model: this.model, usage };
  }
}

/** One score for each document, the best first. @throws BadUpstream */
function resultsOf({ results }: JsonObject, count: number): JsonObject[] {
  const scores = new Map<number, number>();
  for (const { index, relevance_score: score } of objectsOf(results)) {
    if (Number.isSafeInteger(index) && Number.isFinite(score)) scores.set(index as number, score as number);
  }
  const isWhole = scores.size === count && [...scores.keys()].every((index) => index >= 0 && index < count);
  if (!isWhole) throw new BadUpstream('The reranker answered no score for each text.');
  const sorted = [...scores].sort(([, a], [, b]) => b - a);
  return sorted.map(([index, score]) => ({ index, relevance_score: score }));
}

/** Some servers tell a sum alone. */
function usageOf({ usage }: JsonObject): { usage?: JsonObject } {
  if (!isJsonObject(usage)) return {};
  const tokens = usage.prompt_tokens ?? usage.total_tokens;
  return { usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } };
}
