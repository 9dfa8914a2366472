import { CHAT } from './chat-request.js';
import { slow } from './left-calls.js';
import type { SlowCall } from './left-calls.js';
import { chunk, completion, DONE, stream, USAGE, usageChunk } from '../servers/scripted-backend.js';

/** Of completions. */
export const PATH = '/v1/chat/completions';
/** A completion that comes when it is let. */
export const SLOW_CHAT: SlowCall = { path: PATH, body: CHAT, script: slow(completion('Late.')) };
/** The body of a streamed one. */
export const STREAM = { ...CHAT, stream: true, stream_options: { include_usage: true } };
/** A streamed one whose second half comes when it is let. */
export const HALF_TOLD: SlowCall = {
  path: PATH,
  body: STREAM,
  script: (gate) => stream(chunk({ content: 'La' }), gate, chunk({ content: 'te.' }, 'stop'), usageChunk(), DONE),
};

/** A text completion. */
export const TEXT = {
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_760_000_000,
  model: 'scripted',
  choices: [{ index: 0, text: 'Late.', finish_reason: 'stop', logprobs: null }],
  usage: USAGE,
};

/** An answer of embeddings. */
export const VECTORS = {
  object: 'list',
  model: 'scripted',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }],
  usage: { prompt_tokens: 1, total_tokens: 1 },
};
