import { toChatCompletion, toChatCompletionChunk } from './chat.types.js';
import type { ChatCompletion, ChatCompletionChunk } from './chat.types.js';
import type { CompletionOperation } from './completion.service.js';
import { ChunkStreamCodec } from './chunk-stream-codec.js';

/** Chat completions (specification, sections 4 and 6). */
export const CHAT: CompletionOperation<ChatCompletion, ChatCompletionChunk> = {
  operation: 'chat',
  schema: new URL('../../../schema/rest/inference/chat.schema.json', import.meta.url),
  object: 'chat.completion',
  idPrefix: 'chatcmpl',
  toCompletion: toChatCompletion,
  codec: (request, model) => new ChunkStreamCodec(request, model, 'chat.completion.chunk', toChatCompletionChunk),
  transforms: () => [],
};
