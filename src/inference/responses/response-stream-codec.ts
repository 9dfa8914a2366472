import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { TextTransform } from '../calls/text-transform.js';
import type { NamedStreamParser } from './named-stream-parser.js';
import { ResponseTextTransform } from './response-text-transform.js';
import { toNamedFrame } from './response-frames.js';
import { toResponseEvent } from './responses.types.js';
import type { ResponseEvent } from './responses.types.js';
import type { StreamCodec } from '../streaming/stream-codec.js';

/** The exchange whose answer is read. */
interface ParsedResponse {
  /** As the last route that was taken needs it. */
  readonly parser: NamedStreamParser;
  /** What its response repeats of the caller's request. */
  readonly repeated: JsonObject;
  /** Keeps from what the response can be continued. */
  storeContext(response: JsonObject): Promise<void>;
  /** The response of an answer that did not become whole. */
  toFailed(error: PlatformError): JsonObject;
}

/** The streams of responses. Their last event goes out when the context is kept, so that it can be continued at once. */
export class ResponseStreamCodec implements StreamCodec<ResponseEvent> {
  readonly transforms = [];
  readonly toFrame = toNamedFrame;
  readonly toEvent = toResponseEvent;

  private texts: ResponseTextTransform | undefined;
  /** Of the event that follows what the client has; undefined: it has none. */
  private nextNumber: number | undefined;

  constructor(private readonly exchange: ParsedResponse) {}

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

  transformTexts(transform: TextTransform, cooperation?: CooperativeYield): ChunkTransform {
    this.texts = new ResponseTextTransform(transform, cooperation, this.exchange.repeated);
    return this.texts;
  }

  onSent(): void {
    this.nextNumber = this.parser.nextNumber + (this.texts?.added ?? 0);
  }

  /** Clients wait for the end of a response that was created, whatever happens to it. */
  get toFailure(): ((error: PlatformError) => JsonObject[]) | undefined {
    const { nextNumber: number, exchange } = this;
    if (number === undefined) return undefined;
    return (error) => [{ type: 'response.failed', sequence_number: number, response: exchange.toFailed(error) }];
  }

  lastChunks(usage: MeteredUsage): JsonObject[] {
    return [this.parser.buildLastEvent(usage)];
  }

  /** Keeps the context before the last event is sent, so that the response can be continued at once. */
  async finish(events: readonly JsonObject[]): Promise<void> {
    await this.exchange.storeContext(events.at(-1)?.response as JsonObject);
  }
}
