import { ClientGone } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { AnswerStage } from './answer-stage.js';
import { chunksOf } from './event-frames.js';
import type { JsonObject } from '../json.types.js';
import { MeteredStream } from './metered-stream.js';
import type { StreamCall } from './metered-stream.js';
import type { StreamDialect } from './stream-dialect.js';

const DONE = { value: undefined, done: true } as const;

/**
 * A streamed answer. By batch, what arrives in one read of the upstream goes out as it came; it is parsed only where
 * stages need it, or the client reads by event. Its end goes out when the record of the call is durable.
 */
export class AnswerStream<T> implements EventStream<T> {
  private readonly upstream: MeteredStream;
  private readonly stages: AnswerStage[];
  private waiting: JsonObject[] = [];
  private met = false;
  isWhole = false;
  private failed = false;
  private left = false;

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
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    const batches: AsyncIterableIterator<Uint8Array> = {
      next: () => this.advance(this.relayed, this.lastBytes),
      return: () => this.return(),
      [Symbol.asyncIterator]: () => batches,
    };
    return batches;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.waiting.length === 0) {
      const read = await this.advance(this.parsed, this.end);
      if (read.done) return DONE;
      this.waiting = read.value;
    }
    return { value: this.dialect.toEvent(this.waiting.shift() as JsonObject), done: false };
  }

  return(): Promise<IteratorResult<never>> {
    this.left = true;
    this.waiting = [];
    this.upstream.cancel(new ClientGone());
    return Promise.resolve(DONE);
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * What `use` makes of the next frames, or `finish` of the end, as soon as it is more than nothing. It is the only
   * function between a stream's reader and its upstream that waits: thousands of streams wait most of the time.
   */
  private async advance<R extends { readonly length: number }>(
    use: (block: Buffer) => R,
    finish: () => Promise<R>,
  ): Promise<IteratorResult<R>> {
    const { upstream, dialect } = this;
    upstream.startWaiting();
    try {
      while (!this.isWhole && !this.failed && !this.left) {
        const { ending } = dialect.events;
        if (ending && ending !== 'whole') throw ending;
        const block = ending ? undefined : upstream.accept(await upstream.next());
        if (block && !this.met) this.meet(block);
        const made = ending ? await finish() : block && use(block);
        if (made && made.length > 0 && !this.left) return { value: made, done: false };
        if (!dialect.events.ending) upstream.keepWaiting();
      }
      return DONE;
    } catch (error) {
      this.failed = true;
      const failure = upstream.fail(error);
      if (this.left) return DONE;
      throw await failure;
    }
  }

  /** Blocks may hold comments alone, which say nothing of the answer. */
  private meet(block: Buffer): void {
    const [first] = chunksOf(block);
    if (!first) return;
    this.met = true;
    this.stages.push(...this.dialect.meet(first));
  }

  private readonly relayed = (block: Buffer): Buffer => {
    if (this.stages.length === 0) return this.dialect.events.relay(block);
    return Buffer.concat(this.parsed(block).map(this.dialect.toFrame));
  };

  private readonly parsed = (block: Buffer): JsonObject[] => {
    const { events } = this.dialect;
    let chunks = events.parse(block);
    for (const stage of this.stages) {
      chunks = chunks.flatMap((chunk) => stage.transform(chunk));
      if (events.ending === 'whole') chunks.push(...stage.flush());
    }
    return chunks;
  };

  private readonly lastBytes = async (): Promise<Buffer> =>
    Buffer.concat([...(await this.end()).map(this.dialect.toFrame), this.dialect.endMark]);

  /** Settles the call, and answers what is left to be sent. */
  private readonly end = async (): Promise<JsonObject[]> => {
    const chunks = await this.dialect.lastChunks(await this.upstream.complete());
    this.isWhole = true;
    return chunks;
  };
}
