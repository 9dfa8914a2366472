import { ClientGone } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { EventStream } from '../../graph/event-stream.js';
import { toPlatformError } from '../../graph/platform-error.js';
import type { ChunkTransform, TextFrames } from './chunk-transform.js';
import { chunksOf, endOfFrame } from './event-frames.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { MeteredStream } from './metered-stream.js';
import { transformError } from '../calls/text-transform.js';
import type { TextTransform } from '../calls/text-transform.js';
import type { StreamCodec } from './stream-codec.js';

/** Frames of a block of which each is looked at by itself: it may show what the next ones are like. */
const LEARNT_FRAMES = 3;
/** Milliseconds; whoever waits longer for the upstream has let others go first. */
const WAITED_MS = 1;
const DONE = { value: undefined, done: true } as const;

/**
 * A streamed answer. By batch, what arrives in one read of the upstream goes out as it came; it is parsed only where
 * transforms need it, or the client reads by event. Its end goes out when the record of the call is durable.
 */
export class AnswerStream<T> implements EventStream<T> {
  private readonly transforms: ChunkTransform[];
  private readonly textFrames: TextFrames | undefined;
  /** Of what changes texts, which may take long; undefined: nothing does. */
  private readonly cooperation: CooperativeYield | undefined;
  private waiting: JsonObject[] = [];
  private hasSeenFirstChunk = false;
  isWhole = false;
  private failed = false;
  private left = false;

  /**
   * @param codec of the operation; made for this call
   * @param textTransform changes what the model writes
   * @param signal ends that where nobody waits for the answer any more
   */
  constructor(
    private readonly upstream: MeteredStream,
    private readonly codec: StreamCodec<T>,
    private readonly textTransform?: TextTransform,
    signal?: AbortSignal,
  ) {
    this.cooperation = textTransform && new CooperativeYield(signal);
    const texts = textTransform && codec.transformTexts(textTransform, this.cooperation);
    this.textFrames = texts?.textFrames;
    this.transforms = [...(texts ? [texts] : []), ...codec.transforms];
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    const batches: AsyncIterableIterator<Uint8Array> = {
      next: () => this.advance(this.relayed, this.lastBytes, this.toBytes),
      return: () => this.return(),
      [Symbol.asyncIterator]: () => batches,
    };
    return batches;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.waiting.length === 0) {
      const read = await this.advance(this.parsed, this.end, (chunks) => chunks);
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
   * What `use` makes of the next frames, or `finish` of the end, as soon as it is more than nothing, or `encode` of a
   * failure. It is the only function between a stream's reader and its upstream that waits: thousands of streams wait
   * most of the time.
   */
  private async advance<R extends { readonly length: number }>(
    use: (block: Buffer) => R | Promise<R>,
    finish: () => Promise<R>,
    encode: (chunks: JsonObject[]) => R,
  ): Promise<IteratorResult<R>> {
    const { upstream, codec } = this;
    upstream.startWaiting();
    try {
      while (!this.isWhole && !this.failed && !this.left) {
        const { ending } = codec.parser;
        if (ending && ending !== 'whole') throw ending;
        const askedAt = performance.now();
        const block = ending ? undefined : upstream.accept(await upstream.next());
        if (performance.now() - askedAt > WAITED_MS) this.cooperation?.restart();
        if (block && !this.hasSeenFirstChunk) this.readFirstChunk(block);
        // What is relayed as it came is not waited for.
        const used = ending ? finish() : block && use(block);
        const made = used instanceof Promise ? await used : used;
        if (made && made.length > 0 && !this.left) {
          codec.onSent?.();
          return { value: made, done: false };
        }
        if (!codec.parser.ending) upstream.keepWaiting();
      }
      return DONE;
    } catch (error) {
      this.failed = true;
      const failure = upstream.fail(error);
      if (this.left) return DONE;
      return { value: encode(this.failedChunks(await transformError(await failure, this.textTransform))), done: false };
    }
  }

  /** The end of a stream that tells in its own chunks that it failed. @throws the error where it does not */
  private failedChunks(error: unknown): JsonObject[] {
    const { toFailure } = this.codec;
    if (!toFailure || error instanceof ClientGone) throw error;
    return toFailure(toPlatformError(error, this.upstream.log));
  }

  /** Blocks may hold comments alone, which say nothing of the answer. */
  private readFirstChunk(block: Buffer): void {
    const [first] = chunksOf(block);
    if (!first) return;
    this.hasSeenFirstChunk = true;
    this.transforms.push(...this.codec.onFirstChunk(first));
  }

  private readonly relayed = (block: Buffer): Buffer | Promise<Buffer> => {
    const { textFrames } = this;
    const { parser } = this.codec;
    if (this.transforms.length === 0) return parser.relay(block);
    const relayed = textFrames?.relay(block);
    if (relayed?.end === block.length) return joined(relayed.sent);
    return this.transformedBytes(relayed ? block.subarray(relayed.end) : block, relayed?.sent);
  };

  /**
   * Transforms the chunks of a block, but for those that pass as texts.
   * @param before what goes out before the block
   */
  private async transformedBytes(block: Buffer, before: readonly Buffer[] = []): Promise<Buffer> {
    const { textFrames } = this;
    const { parser } = this.codec;
    const sent = [...before];
    let rest = block;
    for (let learnt = 0; rest.length > 0 && !parser.ending;) {
      if (this.cooperation?.isDue) await this.cooperation.yield();
      const mayLearn = learnt < LEARNT_FRAMES && textFrames?.mayHave(rest);
      const frames = mayLearn ? rest.subarray(0, endOfFrame(rest, 0)) : rest;
      let relayed = textFrames?.relay(rest);
      if (relayed?.end === 0) {
        // Frames of choices that take turns are each unlike the one before: after a few they are parsed together.
        learnt += 1;
        if (mayLearn && textFrames?.learn(frames)) relayed = textFrames.relay(rest);
      }
      if (relayed && relayed.end > 0) {
        sent.push(...relayed.sent);
        rest = rest.subarray(relayed.end);
        continue;
      }
      const made = this.toBytes(await this.transformed(parser.parse(frames)));
      // Frames that are as they came follow the ones before in memory, and need not be copied behind them.
      if (made.length > 0) sent.push(made.equals(frames) ? frames : made);
      rest = rest.subarray(frames.length);
    }
    return joined(sent);
  }

  private readonly parsed = (block: Buffer): JsonObject[] | Promise<JsonObject[]> => {
    const chunks = this.codec.parser.parse(block);
    return this.transforms.length === 0 ? chunks : this.transformed(chunks);
  };

  private async transformed(parsed: JsonObject[]): Promise<JsonObject[]> {
    const isWhole = this.codec.parser.ending === 'whole';
    let chunks = parsed;
    for (const transform of this.transforms) {
      chunks = await this.transformAll(chunks, transform);
      if (isWhole) chunks.push(...(await transform.flush()));
    }
    return chunks;
  }

  private readonly toBytes = (chunks: readonly JsonObject[]): Buffer => Buffer.concat(chunks.map(this.codec.toFrame));

  private readonly lastBytes = async (): Promise<Buffer> =>
    Buffer.concat([this.toBytes(await this.end()), this.codec.endMark]);

  /** Settles the call, and answers what is left to be sent. */
  private readonly end = async (): Promise<JsonObject[]> => {
    const { codec } = this;
    let chunks = codec.lastChunks(await this.upstream.complete());
    for (const transform of this.transforms) chunks = await this.transformAll(chunks, transform);
    await codec.finish?.(chunks);
    this.isWhole = true;
    return chunks;
  };

  /** What a transform makes of chunks, one after another. */
  private async transformAll(chunks: readonly JsonObject[], transform: ChunkTransform): Promise<JsonObject[]> {
    const changed: JsonObject[] = [];
    for (const chunk of chunks) {
      if (this.cooperation?.isDue) await this.cooperation.yield();
      changed.push(...(await transform.transform(chunk)));
    }
    return changed;
  }
}

/** Buffers as one; those that follow each other in memory are not copied. */
function joined(buffers: readonly Buffer[]): Buffer {
  const [first, ...others] = buffers;
  if (!first) return Buffer.alloc(0);
  let length = first.length;
  for (const other of others) {
    if (other.buffer !== first.buffer || other.byteOffset !== first.byteOffset + length) return Buffer.concat(buffers);
    length += other.length;
  }
  return Buffer.from(first.buffer, first.byteOffset, length);
}
