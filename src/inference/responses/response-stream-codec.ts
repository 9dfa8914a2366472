import type { MeteredUsage } from '../../metering/metering.types.js';
import type { StreamParser } from '../streaming/stream-parser.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { ResponseExchange } from './response-exchange.js';
import { toNamedFrame } from './response-frames.js';
import { toResponseEvent } from './responses.types.js';
import type { ResponseEvent } from './responses.types.js';
import type { StreamCodec } from '../streaming/stream-codec.js';

/**
 * Puts our id, the public name of the model and the promised members on a response object.
 * @param usage where the answer is whole
 */
export type ToPublic = (response: JsonObject, usage?: MeteredUsage) => JsonObject;

/** Reads a stream whose events are those of a responses stream, or become so. */
export interface NamedStreamParser extends StreamParser {
  /** `[DONE]` where the upstream has sent it after its last event, else empty. */
  readonly endMark: Buffer;
  /** Told the first chunk of the upstream before it is relayed. */
  onFirstChunk(first: JsonObject): void;
  /** The last event, which was held back. */
  buildLastEvent(usage: MeteredUsage): JsonObject;
}

/** The streams of responses. Their last event goes out when the context is kept, so that it can be continued at once. */
export class ResponseStreamCodec implements StreamCodec<ResponseEvent> {
  readonly toFrame = toNamedFrame;
  readonly toEvent = toResponseEvent;

  constructor(private readonly exchange: ResponseExchange) {}

  get parser(): NamedStreamParser {
    return this.exchange.parser;
  }

  get endMark(): Buffer {
    return this.parser.endMark;
  }

  onFirstChunk(first: JsonObject): ChunkTransform[] {
    this.parser.onFirstChunk(first);
    return [];
  }

  async lastChunks(usage: MeteredUsage): Promise<JsonObject[]> {
    const event = this.parser.buildLastEvent(usage);
    await this.exchange.keep(event.response as JsonObject);
    return [event];
  }
}
