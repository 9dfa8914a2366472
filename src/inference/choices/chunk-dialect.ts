import type { MeteredUsage } from '../../metering/metering.types.js';
import { RenamedModel } from '../streams/answer-stage.js';
import type { AnswerStage } from '../streams/answer-stage.js';
import { ChatEvents, toFrame } from './chat-events.js';
import { END_MARK } from '../streams/event-frames.js';
import type { JsonObject } from '../json.types.js';
import { wantsUsage } from '../prompt.js';
import type { StreamDialect } from '../streams/stream-dialect.js';
import { toUsageMember } from '../usage.types.js';

/** Streams of unnamed chunks that end with `[DONE]`: those of chat, and of completions. */
export class ChunkDialect<T> implements StreamDialect<T> {
  readonly events: ChatEvents;
  readonly toFrame = toFrame;
  readonly endMark = END_MARK;
  private first: JsonObject | undefined;

  /**
   * @param model the public name
   * @param object what `object` says in a chunk
   */
  constructor(
    private readonly request: JsonObject,
    private readonly model: string,
    private readonly object: string,
    readonly toEvent: (chunk: JsonObject) => T,
  ) {
    this.events = new ChatEvents(wantsUsage(request));
  }

  /** Servers may answer with another name of the model than the one that they were asked for, or with none. */
  meet(first: JsonObject): AnswerStage[] {
    this.first = first;
    return first.model === this.model ? [] : [new RenamedModel(this.model)];
  }

  /** The usage, where the client asked for it. */
  async lastChunks(usage: MeteredUsage): Promise<JsonObject[]> {
    if (!wantsUsage(this.request)) return [];
    const { id, created } = this.first ?? {};
    const made = { id, object: this.object, created, choices: [], usage: toUsageMember(usage) };
    return [{ ...(this.events.usageChunk ?? made), model: this.model }];
  }
}
