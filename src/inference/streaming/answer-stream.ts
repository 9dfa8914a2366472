import { ClientGone } from '../../errors.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { ChunkTransform } from './chunk-transform.js';
import { chunksOf } from './event-frames.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { MeteredStream } from './metered-stream.js';
import type { TextTransform } from '../calls/text-transform.js';
import type { StreamCodec } from './stream-codec.js';

const DONE = { value: undefined, done: true } as const;

/**
 * A streamed answer. By batch, what arrives in one read of the upstream goes out as it came; it is parsed only where
 * transforms need it, or the client reads by event. Its end goes out when the record of the call is durable.
 */
export class AnswerStream<T> implements EventStream<T> {
  private readonly transforms: ChunkTransform[];
  private waiting: JsonObject[] = [];
  private hasSeenFirstChunk = false;
  isWhole = false;
  private failed = false;
  private left = false;

  /**
   * @param codec of the operation; made for this call
   * @param textTransform changes what the model writes
   */
  constructor(
    private readonly upstream: MeteredStream,
    private readonly codec: StreamCodec<T>,
    textTransform?: TextTransform,
  ) {
    this.transforms = [...(textTransform ? [codec.transformTexts(textTransform)] : []), ...codec.transforms];
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
    return { value: this.codec.toEvent(this.waiting.shift() as JsonObject), done: false };
  }

  return(): Promise<IteratorResult<never>> {
    this.left = true;
    this.waiting = [];
    // Most readers return at the end: an error would cost as much as many events.
    if (!this.isWhole && !this.failed) this.upstream.cancel(new ClientGone());
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
    const { upstream, codec } = this;
    upstream.startWaiting();
    try {
      while (!this.isWhole && !this.failed && !this.left) {
        const { ending } = codec.parser;
        if (ending && ending !== 'whole') throw ending;
        const block = ending ? undefined : upstream.accept(await upstream.next());
        if (block && !this.hasSeenFirstChunk) this.readFirstChunk(block);
        const made = ending ? await finish() : block && use(block);
        if (made && made.length > 0 && !this.left) return { value: made, done: false };
        if (!codec.parser.ending) upstream.keepWaiting();
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
  private readFirstChunk(block: Buffer): void {
    const [first] = chunksOf(block);
    if (!first) return;
    this.hasSeenFirstChunk = true;
    this.transforms.push(...this.codec.onFirstChunk(first));
  }

  private readonly relayed = (block: Buffer): Buffer => {
    if (this.transforms.length === 0) return this.codec.parser.relay(block);
    return Buffer.concat(this.parsed(block).map(this.codec.toFrame));
  };

  private readonly parsed = (block: Buffer): JsonObject[] => {
    const { parser } = this.codec;
    let chunks = parser.parse(block);
    for (const transform of this.transforms) {
      chunks = chunks.flatMap((chunk) => transform.transform(chunk));
      if (parser.ending === 'whole') chunks.push(...transform.flush());
    }
    return chunks;
  };

  private readonly lastBytes = async (): Promise<Buffer> =>
    Buffer.concat([...(await this.end()).map(this.codec.toFrame), this.codec.endMark]);

  /** Settles the call, and answers what is left to be sent. */
  private readonly end = async (): Promise<JsonObject[]> => {
    const { codec } = this;
    let chunks = codec.lastChunks(await this.upstream.complete());
    for (const transform of this.transforms) chunks = chunks.flatMap((chunk) => transform.transform(chunk));
    await codec.finish?.(chunks);
    this.isWhole = true;
    return chunks;
  };
}
