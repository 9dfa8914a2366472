import { compileBodySchema } from '../../graph/json-schema.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import { ChunkStreamCodec } from './chunk-stream-codec.js';
import { CompletionExchange } from './completion-exchange.js';
import type { CompletionOperation } from './completion-exchange.js';
import { toCompletionChunk } from './completions.types.js';
import type { CompletionChunk } from './completions.types.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** Text completions (docs/api.md, Completions). */
export const COMPLETIONS: CompletionOperation<CompletionChunk> = {
  operation: 'completions',
  check: compileBodySchema(new URL('../../../schema/rest/inference/completions.schema.json', import.meta.url)),
  object: 'text_completion',
  idPrefix: 'cmpl',
  create: (request, { model }) => new CompletionExchange(request, model.id, COMPLETIONS),
  createCodec: (request, model) =>
    new ChunkStreamCodec(request, model, 'text_completion', toCompletionChunk, [new TextAndDelta()]),
};

/** Gives every choice its text twice: in `text`, and in `delta.content` as chat has it (docs/api.md, Completions). */
class TextAndDelta implements ChunkTransform {
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
