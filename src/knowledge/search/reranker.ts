import type { Logger } from 'pino';
import { PlatformError } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import { objectsOf } from '../../platform/json/json-object.js';
import { toEmbeddedText } from '../index/chunk-writer.js';
import type { Question, RankedPassage } from './question.js';

interface RerankerParts {
  readonly models: Pick<Models, 'rerank'>;
  readonly model: string;
  readonly log: Logger;
}

/** Puts passages into the order that a model gives them, which reads each together with the query. */
export class Reranker {
  constructor(private readonly parts: RerankerParts) {}

  /**
   * The passages in their new order, each with the model's score.
   * @returns as they were where the model cannot be had: they are found all the same
   * @throws the reason of the signal
   */
  async rerank(passages: readonly RankedPassage[], question: Question): Promise<readonly RankedPassage[]> {
    const { models, model, log } = this.parts;
    const { query, caller, context } = question;
    if (passages.length < 2) return passages;
    const { requestId, serverRequestId, signal, timings } = context;
    try {
      const answer = await models.rerank(caller, {
        area: 'knowledge',
        request: { model, query, documents: passages.map(toEmbeddedText), top_n: passages.length },
        context: { requestId, serverRequestId, signal, timings },
      });
      return objectsOf(answer.results).flatMap(({ index, relevance_score: score }) => {
        const passage = passages[index as number];
        return passage ? [{ ...passage, score: score as number }] : [];
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PlatformError)) throw error;
      log.warn({ err: error, model }, 'what a query has found is not reranked');
      return passages;
    }
  }
}
