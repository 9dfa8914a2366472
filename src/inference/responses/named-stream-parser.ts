import type { MeteredUsage } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { StreamParser } from '../streaming/stream-parser.js';

/**
 * Puts our id, the public name of the model and the promised members on a response object.
 * @param usage where the answer is whole
 */
export type ToPublic = (response: JsonObject, usage?: MeteredUsage) => JsonObject;

/** Reads a stream whose events are those of a responses stream, or become so. */
export interface NamedStreamParser extends StreamParser {
  /** `[DONE]` where the upstream has sent it after its last event, else empty. */
  readonly endMark: Buffer;
  /** The `sequence_number` that follows those of the events so far; the last event, which is held back, has it. */
  readonly nextNumber: number;
  /** Told the first chunk of the upstream before it is relayed. */
  onFirstChunk(first: JsonObject): void;
  /** The last event, which was held back. */
  buildLastEvent(usage: MeteredUsage): JsonObject;
}
