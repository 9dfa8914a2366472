import { compileBodySchema } from '../../graph/json-schema.js';
import { toChatCompletionChunk } from './chat.types.js';
import type { ChatCompletionChunk } from './chat.types.js';
import { ChunkStreamCodec } from './chunk-stream-codec.js';
import { CompletionExchange } from './completion-exchange.js';
import type { CompletionOperation } from './completion-exchange.js';

/** Chat completions (docs/api.md, Chat completions). */
export const CHAT: CompletionOperation<ChatCompletionChunk> = {
  operation: 'chat',
  check: compileBodySchema(new URL('../../../schema/rest/inference/chat.schema.json', import.meta.url)),
  object: 'chat.completion',
  idPrefix: 'chatcmpl',
  create: (request, { model }) => new CompletionExchange(request, model.id, CHAT),
  createCodec: (request, model) => new ChunkStreamCodec(request, model, 'chat.completion.chunk', toChatCompletionChunk),
};
