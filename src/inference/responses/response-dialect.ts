import type { MeteredUsage } from '../../metering/metering.types.js';
import type { AnswerEvents } from '../streams/answer-events.js';
import type { AnswerStage } from '../streams/answer-stage.js';
import type { JsonObject } from '../json.types.js';
import type { ResponseExchange } from './response-exchange.js';
import { toNamedFrame } from './response-frames.js';
import { toResponseEvent } from './responses.types.js';
import type { ResponseEvent } from './responses.types.js';
import type { StreamDialect } from '../streams/stream-dialect.js';

/**
 * Puts our id, the public name of the model and the promised members on a response object.
 * @param usage where the answer is whole
 */
export type ToPublic = (response: JsonObject, usage?: MeteredUsage) => JsonObject;

/** Reads a stream whose events are those of a responses stream, or become so. */
export interface NamedEvents extends AnswerEvents {
  /** `[DONE]` where the upstream has sent it after its last event, else empty. */
  readonly endMark: Buffer;
  /** Told the first chunk of the upstream before it is relayed. */
  meet(first: JsonObject): void;
  /** The last event, which was held back. */
  last(usage: MeteredUsage): JsonObject;
}

/** The streams of responses. Their last event goes out when the context is kept, so that it can be continued at once. */
export class ResponseDialect implements StreamDialect<ResponseEvent> {
  readonly toFrame = toNamedFrame;
  readonly toEvent = toResponseEvent;

  constructor(private readonly exchange: ResponseExchange) {}

  get events(): NamedEvents {
    return this.exchange.events;
  }

  get endMark(): Buffer {
    return this.events.endMark;
  }

  meet(first: JsonObject): AnswerStage[] {
    this.events.meet(first);
    return [];
  }

  async lastChunks(usage: MeteredUsage): Promise<JsonObject[]> {
    const event = this.events.last(usage);
    await this.exchange.keep(event.response as JsonObject);
    return [event];
  }
}
