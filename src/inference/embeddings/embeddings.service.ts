import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Caller } from '../../access/caller.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { BadRequest } from '../../errors.js';
import { compileBodySchema } from '../../graph/json-schema.js';
import type { BodyCheck } from '../../graph/json-schema.js';
import type { AnswerOptions } from '../backends/backend.js';
import type { Route } from '../backends/backends.service.js';
import type { CallContext, CallRecorder } from '../calls/call-start.js';
import type { RoutePlan } from '../backends/routing/route-plan.js';
import type { RoutePlanner } from '../backends/routing/route-planner.js';
import { embeddingsOf } from './embedding-vectors.js';
import type { EncodingFormat } from './embedding-vectors.js';
import type { Embedding, EmbeddingList } from './embeddings.types.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { ReservedCall } from '../calls/reserved-call.js';
import { toMeteredUsage, toUsage } from '../calls/usage.types.js';
import type { Usage } from '../calls/usage.types.js';
import { runUnaryCall } from '../calls/unary-call.js';

/** The most inputs of one request. */
const INPUTS = 2_048;
/** The most inputs of one upstream request, and how many of these run at once. */
const BATCH_INPUTS = 256;
const CONCURRENT_BATCHES = 4;

/** Vectors of texts, by whichever backend serves the model. Nothing is kept. */
export class EmbeddingsService {
  private readonly check: BodyCheck = compileBodySchema(
    new URL('../../../schema/rest/inference/embeddings.schema.json', import.meta.url),
  );

  constructor(
    private readonly planner: RoutePlanner,
    private readonly recorder: CallRecorder,
    private readonly log: Logger,
  ) {}

  /**
   * Answers the vectors of all inputs, in their order, or none of them.
   * @throws BadRequest, NotFound `model_not_found`, Conflict `model_not_allowed` or `capability_not_supported`, BadUpstream, UpstreamTimeout,
   * Unavailable, or the upstream's own refusal
   */
  async embed(caller: Caller, body: unknown, context: CallContext): Promise<EmbeddingList> {
    this.check(body);
    const request = body as JsonObject;
    const inputs = inputsOf(request.input);
    const route = { model: request.model as string, operation: 'embeddings', byok: context.byok } as const;
    const plan = await this.planner.plan(caller, route);
    const { id: model } = plan.expected.model;
    const batches = Math.ceil(inputs.length / BATCH_INPUTS);
    const call = new ReservedCall({ operation: 'embeddings', request, plan, context, batches });
    const { answer, usage } = await runUnaryCall({
      request,
      begin: () => call.begin(this.recorder, caller),
      ask: () => this.askAll(request, inputs, plan, { ...context, callerId: caller.userId }),
      signal: context.signal,
      log: this.log,
    });
    const raw = {
      ...answer,
      object: 'list',
      model,
      usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens },
    };
    const data = answer.data as Embedding[];
    return { object: 'list', model, data, usage: toUsage(raw.usage) as Usage, raw };
  }

  /** Asks in batches; the first that fails ends the others. */
  private async askAll(
    request: JsonObject,
    inputs: readonly unknown[],
    plan: RoutePlan,
    { signal, byok, callerId }: CallContext & Pick<AnswerOptions, 'callerId'>,
  ): Promise<JsonObject> {
    const failing = new AbortController();
    const stop = (): void => failing.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const limit = pLimit(CONCURRENT_BATCHES);
    const offsets = Array.from({ length: Math.ceil(inputs.length / BATCH_INPUTS) }, (_, index) => index * BATCH_INPUTS);
    try {
      return joined(
        await Promise.all(
          offsets.map((offset) =>
            limit(() => {
              const batch = inputs.slice(offset, offset + BATCH_INPUTS);
              const whole = batch.length === inputs.length;
              const part = { ...request, input: whole ? request.input : batch };
              return plan.run(failing.signal, (route) =>
                this.ask(part, { count: batch.length, offset }, route, {
                  signal: failing.signal,
                  callerId,
                  key: byok,
                  traceparent: plan.traceparent,
                }),
              );
            }),
          ),
        ),
      );
    } catch (error) {
      failing.abort(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async ask(
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
