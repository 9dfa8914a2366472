import { completeEvents, namedEvent, response, responseObject } from '../../support/builders/response-streams.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import {
  chunk,
  completion,
  DONE,
  json,
  stream,
  usageChunk,
  wholeStream,
} from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';

/** What OpenAI answers where a request does not say. */
export const UNSET = {
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
};
/** Members that a request sets, as its response repeats them. */
export const ASKED = {
  instructions: 'Lunch is at noon.',
  max_output_tokens: 90,
  max_tool_calls: 3,
  metadata: { a: 'b' },
  parallel_tool_calls: false,
  prompt_cache_key: 'key',
  safety_identifier: 'someone',
  store: false,
  temperature: 0,
  tool_choice: 'none',
  top_p: 0.5,
};
/** A tool of a request. */
export const TOOL = { type: 'function', name: 'get_weather' };
const CHAT_LOGPROBS = { content: [{ token: 'Hi', logprob: -1, bytes: null, top_logprobs: [] }] };

const written = { reasoning_content: 'Hm.', content: 'Hi', refusal: 'No.' };
const toolCalls = [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }];
const message = { role: 'assistant', ...written, tool_calls: toolCalls };

interface Served {
  readonly supports: readonly string[];
  readonly model?: string;
  readonly wholes: readonly Script[];
  readonly streams: readonly Script[];
}

/** As servers leave out what is published: as little as the tests of the gateway send, and as vLLM and llama.cpp do. */
export const NATIVE: Served = {
  supports: ['responses'],
  wholes: [
    response('Hi'),
    json(200, JSON.parse(recordedBody('resp').toString())),
    json(200, { id: 'r', output: 'plain text', usage: null }),
    json(200, {
      id: 'r',
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'Hi', annotations: null, logprobs: null }] },
        { type: 'message', content: 'Hi' },
        { type: 'reasoning', status: null },
        { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      ],
      created_at: 1_760_000_000.5,
      metadata: null,
      reasoning: {},
      temperature: null,
      text: null,
      tools: null,
      usage: { input_tokens: 1, output_tokens: 1, input_tokens_details: { cached_tokens: null } },
    }),
    response('', { status: 'failed', error: null }),
    response('', { status: 'failed', error: 'Out of memory.' }),
    response('', { status: 'failed', error: { message: 'Out of memory.', code: 500 } }),
  ],
  streams: [
    stream(...completeEvents('Hi')),
    stream(...completeEvents('Hi').slice(1)),
    stream(recordedBody('resp_stream')),
    stream(recordedBody('resp_tool_stream')),
    stream(
      namedEvent('response.queued', { response: {} }),
      namedEvent('response.in_progress', { response: { output: null } }),
      namedEvent('response.incomplete', { response: { output: [] } }),
    ),
    stream(namedEvent('response.failed', { response: responseObject('', { error: null }) })),
  ],
};
/** The same through chat completions. */
export const CHAT: Served = {
  supports: ['chat'],
  wholes: [
    completion('Hi'),
    completion('', { choices: [{ index: 0, message, logprobs: CHAT_LOGPROBS, finish_reason: 'length' }] }),
  ],
  streams: [
    stream(...wholeStream('Hi')),
    stream(
      chunk({ ...written, tool_calls: toolCalls.map((call) => ({ index: 0, ...call })) }),
      chunk({}, 'length'),
      usageChunk(),
      DONE,
    ),
  ],
};
const ready: Script = { pieces: [] };
/** The builtin model. */
export const BUILTIN: Served = { supports: ['chat'], model: 'builtin-extractive', wholes: [ready], streams: [ready] };
