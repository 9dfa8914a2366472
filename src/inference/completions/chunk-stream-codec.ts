import type { MeteredUsage } from '../../metering/metering.types.js';
import { ModelNameTransform } from '../streaming/chunk-transform.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';
import type { TextTransform } from '../calls/text-transform.js';
import { ChatStreamParser, toFrame } from './chat-stream-parser.js';
import { ChoiceTextTransform } from './choice-text-transform.js';
import { END_MARK } from '../streaming/event-frames.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { wantsUsage } from '../calls/prompt.js';
import type { StreamCodec } from '../streaming/stream-codec.js';
import { toUsageMember } from '../calls/usage.js';

/** Streams of unnamed chunks that end with `[DONE]`: those of chat, and of completions. */
export class ChunkStreamCodec<T> implements StreamCodec<T> {
  readonly parser: ChatStreamParser;
  readonly toFrame = toFrame;
  readonly endMark = END_MARK;
  private first: JsonObject | undefined;

  /**
   * @param model the public name
   * @param object what `object` says in a chunk
   * @param transforms that every stream of the operation passes through
   */
  constructor(
    private readonly request: JsonObject,
    private readonly model: string,
    private readonly object: string,
    readonly toEvent: (chunk: JsonObject) => T,
    readonly transforms: readonly ChunkTransform[] = [],
  ) {
    this.parser = new ChatStreamParser(wantsUsage(request));
  }

  /** Servers may answer with another name of the model than the one that they were asked for, or with none. */
  onFirstChunk(first: JsonObject): ChunkTransform[] {
    this.first = first;
    return first.model === this.model ? [] : [new ModelNameTransform(this.model)];
  }

  transformTexts(transform: TextTransform): ChunkTransform {
    return new ChoiceTextTransform(transform);
  }

  /** The usage, where the client asked for it. */
  lastChunks(usage: MeteredUsage): JsonObject[] {
    if (!wantsUsage(this.request)) return [];
    const { id, created } = this.first ?? {};
    const made = { id, object: this.object, created, choices: [], usage: toUsageMember(usage) };
    return [{ ...(this.parser.usageChunk ?? made), model: this.model }];
  }
}
