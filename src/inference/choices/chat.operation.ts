import { toChatCompletion, toChatCompletionChunk } from './chat.types.js';
import type { ChatCompletion, ChatCompletionChunk } from './chat.types.js';
import type { ChoicesOperation } from './choices.service.js';
import { ChunkDialect } from './chunk-dialect.js';

/** Chat completions (specification, sections 4 and 6). */
export const CHAT: ChoicesOperation<ChatCompletion, ChatCompletionChunk> = {
  operation: 'chat',
  schema: new URL('../../../schema/rest/inference/chat.schema.json', import.meta.url),
  object: 'chat.completion',
  idPrefix: 'chatcmpl',
  toWhole: toChatCompletion,
  dialect: (request, model) => new ChunkDialect(request, model, 'chat.completion.chunk', toChatCompletionChunk),
  stages: () => [],
};
