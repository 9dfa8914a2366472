import type { AnswerStage } from '../streams/answer-stage.js';
import type { ChoicesOperation } from './choices.service.js';
import { ChunkDialect } from './chunk-dialect.js';
import { toCompletion, toCompletionChunk } from './completions.types.js';
import type { Completion, CompletionChunk } from './completions.types.js';
import { isJsonObject, objectsOf } from '../json.types.js';
import type { JsonObject } from '../json.types.js';

/** Text completions (specification, sections 1 and 6). */
export const COMPLETIONS: ChoicesOperation<Completion, CompletionChunk> = {
  operation: 'completions',
  schema: new URL('../../../schema/rest/inference/completions.schema.json', import.meta.url),
  object: 'text_completion',
  idPrefix: 'cmpl',
  toWhole: toCompletion,
  dialect: (request, model) => new ChunkDialect(request, model, 'text_completion', toCompletionChunk),
  stages: () => [new BothForms()],
};

/** Gives every choice its text twice: the specification has it in `delta.content`, the widely used clients in `text`. */
class BothForms implements AnswerStage {
  transform(chunk: JsonObject): JsonObject[] {
    for (const choice of objectsOf(chunk.choices)) {
      const delta = isJsonObject(choice.delta) ? choice.delta : {};
      const text = choice.text ?? delta.content ?? '';
      Object.assign(choice, { text, delta: { ...delta, content: text } });
    }
    return [chunk];
  }

  flush(): JsonObject[] {
    return [];
  }
}
