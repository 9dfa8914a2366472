import pLimit from 'p-limit';
import { BadRequest } from '../../errors.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { AnswerOptions } from '../backends/backend.js';
import type { Route } from '../backends/backend-registry.js';
import type { Exchange, ExchangeType, Upstream } from '../calls/model-call.js';
import { toMeteredUsage } from '../calls/usage.js';
import { embeddingsOf, requireWidth } from './embedding-vectors.js';
import type { EncodingFormat } from './embedding-vectors.js';

/** The most inputs of one request. */
const INPUTS = 2_048;
/** The most inputs of one upstream request, and how many of these run at once. */
const BATCH_INPUTS = 256;
const CONCURRENT_BATCHES = 4;

const checkBody = compileBodySchema(new URL('../../../schema/rest/inference/embeddings.schema.json', import.meta.url));

/** Calls for embeddings (docs/api.md, Embeddings). */
export const EMBEDDINGS: ExchangeType<Exchange> = {
  operation: 'embeddings',
  check(body) {
    checkBody(body);
    inputsOf((body as JsonObject).input);
  },
  create: (request, { model }) => new EmbeddingExchange(request, model.id),
};

/** A request for the vectors of all of its inputs, in their order: it is asked in batches, and answered whole or not at all. */
class EmbeddingExchange implements Exchange {
  readonly sizing: { readonly batches: number };
  private readonly inputs: readonly unknown[];

  constructor(
    readonly request: JsonObject,
    private readonly model: string,
  ) {
    this.inputs = inputsOf(request.input);
    this.sizing = { batches: Math.ceil(this.inputs.length / BATCH_INPUTS) };
  }

  /** Asks in batches; the first that fails ends the others. */
  async ask(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<JsonObject> {
    const failing = new AbortController();
    const stop = (): void => failing.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const limit = pLimit(CONCURRENT_BATCHES);
    const offsets = Array.from({ length: this.sizing.batches }, (_, index) => index * BATCH_INPUTS);
    const batches = offsets.map((offset) => limit(() => this.askBatch(body, offset, upstream, failing.signal)));
    try {
      const answer = joined(await Promise.all(batches));
      requireWidth(answer.data as JsonObject[], this.request.dimensions);
      return answer;
    } catch (error) {
      failing.abort(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  finish(answer: JsonObject, _callId: string, { promptTokens }: MeteredUsage): JsonObject {
    const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
    return { ...answer, object: 'list', model: this.model, usage };
  }

  private askBatch(body: JsonObject, offset: number, upstream: Upstream, failing: AbortSignal): Promise<JsonObject> {
    const batch = this.inputs.slice(offset, offset + BATCH_INPUTS);
    const part = { ...body, input: batch.length === this.inputs.length ? body.input : batch };
    return upstream.run((route, options) => ask(part, { count: batch.length, offset }, route, options), failing);
  }
}

async function ask(
  request: JsonObject,
  { count, offset }: { readonly count: number; readonly offset: number },
  { backend, model }: Route,
  options: AnswerOptions,
): Promise<JsonObject> {
  options.signal.throwIfAborted();
  const answer = await backend.answer('embeddings', { ...request, model: model.upstream }, options);
  const format = (request.encoding_format ?? 'float') as EncodingFormat;
  return { ...answer, data: embeddingsOf(answer, count, format, offset) };
}

/** What a model server says of its usage, of which nothing is an answer in words. */
function promptUsage(usage: unknown): MeteredUsage | null {
  return toMeteredUsage(isJsonObject(usage) ? { completion_tokens: 0, ...usage } : usage);
}

/**
 * One entry for each vector.
 * @throws BadRequest that names `input`
 */
function inputsOf(input: unknown): readonly unknown[] {
  if (!Array.isArray(input) || typeof input[0] === 'number') {
    if (Array.isArray(input)) requireAlike(input);
    return [input];
  }
  requireAlike(input);
  if (input.length > INPUTS) throw new BadRequest(`input must have at most ${INPUTS} items.`, 'input');
  return input;
}

/** Texts and tokens are not mixed. */
function requireAlike(input: readonly unknown[]): void {
  const kind = typeof input[0];
  if (input.some((entry) => typeof entry !== kind)) {
    throw new BadRequest(
      'input must be a text, a list of texts, a list of tokens, or a list of lists of tokens.',
      'input',
    );
  }
}

/** The answers of all batches as one; what a server says beside comes from the first. No usage where one tells none. */
function joined(answers: readonly JsonObject[]): JsonObject {
  const usages = answers.map(({ usage }) => promptUsage(usage)).filter((usage) => usage !== null);
  const tokens = usages.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  const { usage: _usage, ...members } = answers[0] ?? {};
  return {
    ...members,
    data: answers.flatMap(({ data }) => data),
    ...(usages.length === answers.length && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}
