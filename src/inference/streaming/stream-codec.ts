import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { StreamParser } from './stream-parser.js';
import type { ChunkTransform } from './chunk-transform.js';
import type { TextTransform } from '../calls/text-transform.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** What the streams of one operation have of their own; made for one call. */
export interface StreamCodec<T> {
  readonly parser: StreamParser;
  /**
   * Told once, before it is relayed.
   * @param first the first chunk of the upstream
   * @returns the transforms that this answer needs
   */
  onFirstChunk(first: JsonObject): ChunkTransform[];
  /** A chunk as it goes over the wire. */
  readonly toFrame: (chunk: JsonObject) => Buffer;
  /** The typed form of a chunk. */
  toEvent(chunk: JsonObject): T;
  /** The transforms that every stream of the operation passes through. */
  readonly transforms: readonly ChunkTransform[];
  /** What changes the texts of the chunks. @param cooperation of the stream, also in the middle of a long chunk */
  transformTexts(transform: TextTransform, cooperation?: CooperativeYield): ChunkTransform;
  /** What is left to be sent when the answer is whole and its record durable. */
  lastChunks(usage: MeteredUsage): JsonObject[];
  /** Told what is left to be sent, transformed, before it is sent. */
  finish?(lastChunks: readonly JsonObject[]): Promise<void>;
  /** Told that all chunks which were made so far go out now. */
  onSent?(): void;
  /** How a stream that has begun tells in chunks of its own that it failed; undefined where it has none for that. */
  readonly toFailure?: ((error: PlatformError) => JsonObject[]) | undefined;
  /** What follows the last chunk by batch; empty where nothing does. */
  readonly endMark: Buffer;
}
