import { BadUpstream } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { isJsonObject, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { Route } from '../backends/backend-registry.js';
import type { ExchangeType, StreamExchange, Upstream } from '../calls/model-call.js';
import { completedUsage } from '../calls/usage.js';
import type { StreamCodec } from '../streaming/stream-codec.js';

/** What chat and text completions have each of their own. */
export interface CompletionOperation<Chunk> extends ExchangeType<CompletionExchange<Chunk>> {
  readonly operation: 'chat' | 'completions';
  /** What `object` says in a whole answer. */
  readonly object: string;
  readonly idPrefix: string;
  /** @param model the public name */
  createCodec(request: JsonObject, model: string): StreamCodec<Chunk>;
}

/** A request whose answers are choices: a chat or a text completion. */
export class CompletionExchange<Chunk> implements StreamExchange<Chunk> {
  constructor(
    readonly request: JsonObject,
    private readonly model: string,
    private readonly kind: Pick<CompletionOperation<Chunk>, 'operation' | 'object' | 'idPrefix' | 'createCodec'>,
  ) {}

  createCodec(): StreamCodec<Chunk> {
    return this.kind.createCodec(this.request, this.model);
  }

  ask(body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    return upstream.run(async (route, options) =>
      requireChoices(await route.backend.answer(this.kind.operation, toUnaryBody(body, route), options)),
    );
  }

  open(body: JsonObject, upstream: Upstream, signal: AbortSignal): Promise<ByteSource> {
    const { operation } = this.kind;
    return upstream.run(
      (route, options) => route.backend.answerStream(operation, toStreamBody(body, route), options),
      signal,
    );
  }

  finish(answer: JsonObject, callId: string, usage: MeteredUsage): JsonObject {
    // What could not be counted by is not repeated.
    const reported = usage.precision === 'exact' && isJsonObject(answer.usage) ? answer.usage : {};
    return {
      ...answer,
      id: textOr(answer.id, `${this.kind.idPrefix}-${callId}`),
      created: typeof answer.created === 'number' ? answer.created : Math.floor(Date.now() / 1000),
      object: this.kind.object,
      model: this.model,
      usage: completedUsage(reported, usage),
    };
  }
}

/** The request for one answer; the transport decides what is streamed, not the body. */
function toUnaryBody(
  { stream: _stream, stream_options: _options, ...request }: JsonObject,
  { model }: Route,
): JsonObject {
  return { ...request, model: model.upstream };
}

/** The request for a stream of chunks; its usage is always asked for, since every call is metered. */
export function toStreamBody(request: JsonObject, { model }: Route): JsonObject {
  const options = isJsonObject(request.stream_options) ? request.stream_options : {};
  return { ...request, model: model.upstream, stream: true, stream_options: { ...options, include_usage: true } };
}

/**
 * An answer whose choices are there.
 * @throws BadUpstream
 */
export function requireChoices(answer: JsonObject): JsonObject {
  if (Array.isArray(answer.choices)) return answer;
  throw new BadUpstream('The answer of the model server has no choices.');
}
