import { z } from 'zod';
import { namedEventsOf } from '../builders/response-streams.js';

/**
 * The response object as it is published: https://www.openresponses.org/reference and OpenAI's own description, whose
 * items, parts, tools and choices are more. Members of our own may be added.
 */
const status = z.enum(['in_progress', 'completed', 'incomplete']);
const texts = z.enum(['input_text', 'text', 'summary_text', 'reasoning_text']);

const probability = z.looseObject({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()) });
const logprobs = z.array(probability.extend({ top_logprobs: z.array(probability) }));
const part = z.discriminatedUnion('type', [
  z.looseObject({ type: texts, text: z.string() }),
  z.looseObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.looseObject({ type: z.string() })),
    logprobs,
  }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);

const item = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message'),
    id: z.string().min(1),
    status,
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.array(part),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string().min(1),
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: z.string().min(1),
    content: z.array(part).optional(),
    summary: z.array(part),
  }),
  z.looseObject({ type: z.literal('web_search_call'), id: z.string().min(1), status: z.string() }),
]);

const tool = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    name: z.string(),
    description: z.string().nullable(),
    parameters: z.record(z.string(), z.unknown()).nullable(),
    strict: z.boolean().nullable(),
  }),
  z.looseObject({ type: z.literal('web_search') }),
  z.looseObject({ type: z.literal('custom'), name: z.string() }),
]);

const choice = z.enum(['none', 'auto', 'required']);
const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullable(),
    schema: z.record(z.string(), z.unknown()).nullable(),
    strict: z.boolean(),
  }),
]);

const response = z.looseObject({
  id: z.string().min(1),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.union([choice, z.looseObject({ type: z.literal('function'), name: z.string() })]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format, verbosity: z.enum(['low', 'medium', 'high']).optional() }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z
    .looseObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullable(),
      summary: z.enum(['concise', 'detailed', 'auto']).nullable(),
    })
    .nullable(),
  usage: z
    .looseObject({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
      output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

/** What of a response is not as it is published: `path: why`. */
export function unpublishedMembers(value: unknown): string[] {
  const { error } = response.safeParse(value);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

/** The same of every event of a responses stream that has a response, and how many there were. */
export function unpublishedInStream(body: string): { readonly responses: number; readonly wrong: string[] } {
  const told = namedEventsOf(body).flatMap((event) => (event.response === undefined ? [] : [event]));
  const wrong = told.flatMap((event) => unpublishedMembers(event.response).map((why) => `${event.type} ${why}`));
  return { responses: told.length, wrong };
}
