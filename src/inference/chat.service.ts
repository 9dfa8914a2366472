import type { Logger } from 'pino';
import { BadUpstream, Conflict } from '../errors.js';
import type { Caller, RequestContext } from '../context.js';
import type { EventStream } from '../graph/event-stream.js';
import { compileBodySchema } from '../graph/json-schema.js';
import type { BodyCheck } from '../graph/json-schema.js';
import type { CallStart, MeteredUsage, OpenCall } from '../metering/metering.types.js';
import type { BackendsService, Route } from './backends.service.js';
import { maxTokensOf, promptTexts } from './chat-prompt.js';
import { ChatStream } from './chat-stream.js';
import { toChatCompletion } from './chat.types.js';
import type { ChatCompletion, ChatCompletionChunk } from './chat.types.js';
import { isJsonObject } from './json.types.js';
import type { JsonObject } from './json.types.js';
import { estimateAnswer, NO_USAGE } from './usage-estimate.js';
import { toMeteredUsage, toUsageMember } from './usage.types.js';

/** What a call needs to know of its request. */
export type CallContext = Pick<RequestContext, 'requestId' | 'signal'>;

/** Where calls are recorded. */
export interface CallRecorder {
  /** @throws Unavailable where nothing can be recorded */
  begin(caller: Caller, start: CallStart): Promise<OpenCall>;
}

/** Chat completions, whole and streamed, by whichever backend serves the model. */
export class ChatService {
  private readonly check: BodyCheck = compileBodySchema(
    new URL('../../schema/rest/inference/chat.schema.json', import.meta.url),
  );

  constructor(
    private readonly backends: BackendsService,
    private readonly recorder: CallRecorder,
    private readonly log: Logger,
  ) {}

  /**
   * Answers as one JSON object (specification, section 4).
   * @throws BadRequest, NotFound `model_not_found`, Conflict `capability_not_supported`, BadUpstream, UpstreamTimeout,
   * Unavailable, or the upstream's own refusal
   */
  async complete(caller: Caller, body: unknown, context: CallContext): Promise<ChatCompletion> {
    const request = this.validated(body);
    const route = await this.route(caller, request);
    const call = await this.recorder.begin(caller, startOf(request, route, context));
    let answer: JsonObject;
    try {
      answer = await route.backend.chat(wholeBody(request, route), context.signal);
      if (!Array.isArray(answer.choices)) throw new BadUpstream('The answer of the model server has no choices.');
    } catch (error) {
      await this.finishUnanswered(call, request, context.signal.aborted ? 'cancelled' : 'failed');
      throw error;
    }
    const usage = toMeteredUsage(answer.usage);
    const settled = usage ?? (await estimateAnswer(request, answer));
    await call.finish(settled, 'completed');
    return toChatCompletion(completed(answer, call, route, usage ? undefined : settled));
  }

  /**
   * Answers as a stream (specification, section 6). What is wrong with the request is told before the stream exists;
   * what goes wrong upstream, by its first `next()` or later.
   * @throws BadRequest, NotFound `model_not_found`, Conflict `capability_not_supported`, BadUpstream
   */
  async stream(caller: Caller, body: unknown, context: CallContext): Promise<EventStream<ChatCompletionChunk>> {
    const request = this.validated(body);
    const route = await this.route(caller, request);
    return new ChatStream(
      {
        body: request,
        begin: () => this.recorder.begin(caller, startOf(request, route, context)),
        open: (signal) => route.backend.chatStream(streamBody(request, route), signal),
        signal: context.signal,
        log: this.log,
      },
      route.model.id,
    );
  }

  private validated(body: unknown): JsonObject {
    this.check(body);
    return body as JsonObject;
  }

  private async route(caller: Caller, { model }: JsonObject): Promise<Route> {
    const route = await this.backends.route(caller, model as string);
    if (route.backend.supports.includes('chat')) return route;
    throw new Conflict('capability_not_supported', `The model ${route.model.id} does not chat.`, 'model');
  }

  /** A caller who left has used the prompt; one whom the upstream failed, nothing. Never fails. */
  private async finishUnanswered(call: OpenCall, request: JsonObject, outcome: 'cancelled' | 'failed'): Promise<void> {
    try {
      await call.finish(outcome === 'failed' ? NO_USAGE : await estimateAnswer(request, {}), outcome);
    } catch (error) {
      this.log.warn({ err: error }, 'the end of a call is not recorded yet');
    }
  }
}

function startOf(request: JsonObject, { backend, model }: Route, { requestId }: CallContext): CallStart {
  const maxTokens = maxTokensOf(request);
  return {
    area: 'chat',
    requestId,
    model: model.id,
    backend: backend.id,
    promptBytes: promptTexts(request).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    ...(maxTokens !== undefined && { maxTokens: maxTokens * (typeof request.n === 'number' ? request.n : 1) }),
  };
}

/** The request for one answer; the door decides what is streamed, not the body. */
function wholeBody(
  { stream: _stream, stream_options: _options, ...request }: JsonObject,
  { model }: Route,
): JsonObject {
  return { ...request, model: model.upstream };
}

/** The request for a stream; its usage is always asked for, since every call is metered. */
function streamBody(request: JsonObject, { model }: Route): JsonObject {
  const options = isJsonObject(request.stream_options) ? request.stream_options : {};
  return { ...request, model: model.upstream, stream: true, stream_options: { ...options, include_usage: true } };
}

/** An answer with the members that the specification promises, whatever the upstream leaves out. */
function completed(
  answer: JsonObject,
  call: OpenCall,
  { model }: Route,
  estimate: MeteredUsage | undefined,
): JsonObject {
  return {
    id: `chatcmpl-${call.id}`,
    created: Math.floor(Date.now() / 1000),
    ...answer,
    object: 'chat.completion',
    model: model.id,
    ...(estimate && { usage: toUsageMember(estimate) }),
  };
}
