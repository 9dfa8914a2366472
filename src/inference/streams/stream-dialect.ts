import type { MeteredUsage } from '../../metering/metering.types.js';
import type { AnswerEvents } from './answer-events.js';
import type { AnswerStage } from './answer-stage.js';
import type { JsonObject } from '../json.types.js';

/** What the streams of one operation have of their own; made for one call. */
export interface StreamDialect<T> {
  readonly events: AnswerEvents;
  /**
   * Told once, before it is relayed.
   * @param first the first chunk of the upstream
   * @returns the stages that this answer needs
   */
  meet(first: JsonObject): AnswerStage[];
  /** A chunk as it goes over the wire. */
  readonly toFrame: (chunk: JsonObject) => Buffer;
  /** The typed form of a chunk. */
  toEvent(chunk: JsonObject): T;
  /** What is left to be sent when the answer is whole and its record durable. */
  lastChunks(usage: MeteredUsage): Promise<JsonObject[]>;
  /** What follows the last chunk by batch; empty where nothing does. */
  readonly endMark: Buffer;
}
