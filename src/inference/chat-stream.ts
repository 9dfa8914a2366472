import { ClientGone } from '../errors.js';
import type { EventStream } from '../graph/event-stream.js';
import type { AnswerStage } from './answer-stage.js';
import { RenamedModel } from './answer-stage.js';
import { firstChunkOf, toFrame } from './chat-events.js';
import { wantsUsage } from './chat-prompt.js';
import { toChatCompletionChunk } from './chat.types.js';
import type { ChatCompletionChunk } from './chat.types.js';
import { END_MARK } from './event-frames.js';
import type { JsonObject } from './json.types.js';
import { MeteredStream } from './metered-stream.js';
import type { StreamCall } from './metered-stream.js';
import { PullIterator } from './pull-iterator.js';
import { toUsageMember } from './usage.types.js';

/**
 * A streamed chat completion. By batch, what arrives in one read of the upstream goes out as it came; it is parsed only
 * where stages need it, or the client reads by event. The end mark goes out when the record of the call is durable.
 */
export class ChatStream implements EventStream<ChatCompletionChunk> {
  private readonly upstream: MeteredStream;
  private readonly byEvent: PullIterator<ChatCompletionChunk>;
  private byBatch: PullIterator<Uint8Array> | undefined;
  private readonly stages: AnswerStage[];
  private waiting: JsonObject[] = [];
  private firstChunk: JsonObject | undefined;
  private ended = false;

  /**
   * @param model the public name
   * @param stages that the events pass through; made for this call
   */
  constructor(
    private readonly call: StreamCall,
    private readonly model: string,
    stages: readonly AnswerStage[] = [],
  ) {
    this.upstream = new MeteredStream(call);
    this.stages = [...stages];
    this.byEvent = new PullIterator(() => this.nextChunk(), this.close);
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    this.byBatch ??= new PullIterator(() => this.nextBatch(), this.close);
    return this.byBatch;
  }

  next(): Promise<IteratorResult<ChatCompletionChunk>> {
    return this.byEvent.next();
  }

  async return(): Promise<IteratorResult<ChatCompletionChunk>> {
    await this.byBatch?.return();
    return this.byEvent.return();
  }

  throw(error: unknown): Promise<IteratorResult<ChatCompletionChunk>> {
    return this.byEvent.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private readonly close = (): void => this.upstream.cancel(new ClientGone());

  private async nextBatch(): Promise<Uint8Array | undefined> {
    try {
      while (!this.ended) {
        const block = await this.nextBlock();
        if (!block) return Buffer.concat([...(await this.end()).map(toFrame), END_MARK]);
        const bytes =
          this.stages.length > 0 ? Buffer.concat(this.chunksOf(block).map(toFrame)) : this.upstream.events.relay(block);
        if (bytes.length > 0) return bytes;
      }
      return undefined;
    } catch (error) {
      throw await this.upstream.fail(error);
    }
  }

  private async nextChunk(): Promise<ChatCompletionChunk | undefined> {
    try {
      while (this.waiting.length === 0 && !this.ended) {
        const block = await this.nextBlock();
        this.waiting = block ? this.chunksOf(block) : await this.end();
      }
    } catch (error) {
      throw await this.upstream.fail(error);
    }
    const chunk = this.waiting.shift();
    return chunk && toChatCompletionChunk(chunk);
  }

  /** The next frames of the upstream; undefined when the answer is whole. */
  private async nextBlock(): Promise<Buffer | undefined> {
    const { ending } = this.upstream.events;
    if (ending === 'whole') return undefined;
    if (ending) throw ending;
    const block = await this.upstream.read();
    if (!this.firstChunk) this.meet(firstChunkOf(block));
    return block;
  }

  /** Servers may answer with another name of the model than the one that they were asked for. */
  private meet(chunk: JsonObject | undefined): void {
    this.firstChunk = chunk;
    if (typeof chunk?.model === 'string' && chunk.model !== this.model) this.stages.push(new RenamedModel(this.model));
  }

  private chunksOf(block: Buffer): JsonObject[] {
    const { events } = this.upstream;
    let chunks = events.parse(block);
    for (const stage of this.stages) {
      chunks = chunks.flatMap((chunk) => stage.transform(chunk));
      if (events.ending === 'whole') chunks.push(...stage.flush());
    }
    return chunks;
  }

  /** Settles the call, and answers what is left to be sent: the usage where the client asked for it. */
  private async end(): Promise<JsonObject[]> {
    const usage = await this.upstream.complete();
    this.ended = true;
    if (!wantsUsage(this.call.body)) return [];
    const { id, created } = this.firstChunk ?? {};
    const made = {
      id,
      object: 'chat.completion.chunk',
      created,
      model: this.model,
      choices: [],
      usage: toUsageMember(usage),
    };
    return [{ ...(this.upstream.events.usageChunk ?? made), model: this.model }];
  }
}
