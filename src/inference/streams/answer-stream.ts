import { ClientGone } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { AnswerStage } from './answer-stage.js';
import { chunksOf } from './event-frames.js';
import type { JsonObject } from '../json.types.js';
import { MeteredStream } from './metered-stream.js';
import type { StreamCall } from './metered-stream.js';
import { PullIterator } from '../../platform/pull-iterator.js';
import type { StreamDialect } from './stream-dialect.js';

/**
 * A streamed answer. By batch, what arrives in one read of the upstream goes out as it came; it is parsed only where
 * stages need it, or the client reads by event. Its end goes out when the record of the call is durable.
 */
export class AnswerStream<T> implements EventStream<T> {
  private readonly upstream: MeteredStream;
  private readonly byEvent: PullIterator<T>;
  private byBatch: PullIterator<Uint8Array> | undefined;
  private readonly stages: AnswerStage[];
  private waiting: JsonObject[] = [];
  private met = false;
  private ended = false;

  /**
   * @param dialect of the operation; made for this call
   * @param stages that the events pass through; made for this call
   */
  constructor(
    call: StreamCall,
    private readonly dialect: StreamDialect<T>,
    stages: readonly AnswerStage[] = [],
  ) {
    this.upstream = new MeteredStream(call, dialect);
    this.stages = [...stages];
    this.byEvent = new PullIterator(() => this.nextEvent(), this.close);
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    this.byBatch ??= new PullIterator(() => this.nextBatch(), this.close);
    return this.byBatch;
  }

  next(): Promise<IteratorResult<T>> {
    return this.byEvent.next();
  }

  async return(): Promise<IteratorResult<T>> {
    await this.byBatch?.return();
    return this.byEvent.return();
  }

  throw(error: unknown): Promise<IteratorResult<T>> {
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
        const bytes = block ? this.relayed(block) : await this.lastBytes();
        if (bytes.length > 0) return bytes;
      }
      return undefined;
    } catch (error) {
      throw await this.upstream.fail(error);
    }
  }

  private async nextEvent(): Promise<T | undefined> {
    try {
      while (this.waiting.length === 0 && !this.ended) {
        const block = await this.nextBlock();
        this.waiting = block ? this.chunksOf(block) : await this.end();
      }
    } catch (error) {
      throw await this.upstream.fail(error);
    }
    const chunk = this.waiting.shift();
    return chunk && this.dialect.toEvent(chunk);
  }

  /** The next frames of the upstream; undefined when the answer is whole. */
  private async nextBlock(): Promise<Buffer | undefined> {
    const { ending } = this.dialect.events;
    if (ending === 'whole') return undefined;
    if (ending) throw ending;
    const block = await this.upstream.read();
    if (!this.met) this.meet(block);
    return block;
  }

  /** Blocks may hold comments alone, which say nothing of the answer. */
  private meet(block: Buffer): void {
    const [first] = chunksOf(block);
    if (!first) return;
    this.met = true;
    this.stages.push(...this.dialect.meet(first));
  }

  private relayed(block: Buffer): Buffer {
    if (this.stages.length === 0) return this.dialect.events.relay(block);
    return Buffer.concat(this.chunksOf(block).map(this.dialect.toFrame));
  }

  private chunksOf(block: Buffer): JsonObject[] {
    const { events } = this.dialect;
    let chunks = events.parse(block);
    for (const stage of this.stages) {
      chunks = chunks.flatMap((chunk) => stage.transform(chunk));
      if (events.ending === 'whole') chunks.push(...stage.flush());
    }
    return chunks;
  }

  private async lastBytes(): Promise<Buffer> {
    return Buffer.concat([...(await this.end()).map(this.dialect.toFrame), this.dialect.endMark]);
  }

  /** Settles the call, and answers what is left to be sent. */
  private async end(): Promise<JsonObject[]> {
    const chunks = await this.dialect.lastChunks(await this.upstream.complete());
    this.ended = true;
    return chunks;
  }
}
