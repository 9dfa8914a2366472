import type { Logger } from 'pino';
import { BadUpstream, UpstreamTimeout } from '../../errors.js';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import type { ByteSource } from '../../platform/net/egress.js';
import { END_MARK } from '../../graph/data-batches.js';
import type { StreamParser } from './stream-parser.js';
import { FrameBuffer } from './event-frames.js';
import type { MeteredCall } from '../calls/metered-call.js';
import type { StreamExchange } from '../calls/model-call.js';
import { estimateStream, StreamSample } from '../calls/usage.js';

/** How long an answer may go on without saying anything. */
const IDLE_MS = 300_000;

interface MeteredStreamParts {
  readonly call: MeteredCall;
  /** Opens the upstream's answer. */
  readonly exchange: Pick<StreamExchange<unknown>, 'request' | 'open'>;
  /** Whose parser tells the usage; it may choose it while the answer is opened. */
  readonly codec: { readonly parser: StreamParser };
  /** Of the request: aborted when nobody waits for the answer any more, or when it must stop. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** How long the upstream may go on without an event; comments and pieces of events are none. Default: 300 s. */
  readonly idleMilliseconds?: number;
}

/**
 * The life of one streamed call: its record is begun before the upstream is opened, and finished exactly once, however
 * the stream ends. Nothing happens before the first `next`.
 */
export class MeteredStream {
  private readonly frames = new FrameBuffer();
  private readonly sample = new StreamSample();
  private readonly closing = new AbortController();
  private isOpened = false;
  private source: ByteSource | undefined;
  private waitingSince = 0;

  constructor(private readonly parts: MeteredStreamParts) {}

  get log(): Logger {
    return this.parts.log;
  }

  /** To be called before what follows is read: from now on it is waited for. */
  startWaiting(): void {
    this.waitingSince = performance.now();
  }

  /**
   * To be called where what came was no event.
   * @throws UpstreamTimeout where there was none for too long
   */
  keepWaiting(): void {
    const { idleMilliseconds = IDLE_MS } = this.parts;
    if (performance.now() - this.waitingSince < idleMilliseconds) return;
    throw new UpstreamTimeout('The model server did not go on with its answer in time.');
  }

  /** What the upstream sends next, for `accept`; undefined where it ends. */
  next(): Promise<Buffer | undefined> {
    return this.source ? this.source.next() : this.open();
  }

  /**
   * The whole frames of what came, as many as there are now; undefined: none yet. Where the upstream ends its answer
   * without an end mark, that.
   * @throws BadUpstream where the upstream ends in the middle, or the reason of an abort
   */
  accept(bytes: Buffer | undefined): Buffer | undefined {
    this.closing.signal.throwIfAborted();
    const block = bytes ? this.frames.push(bytes) : this.frames.end();
    if (block) {
      this.parts.call.answered();
      this.sample.add(block);
    } else if (!bytes && this.parts.codec.parser.isAnswered) {
      return END_MARK;
    } else if (!bytes) {
      throw new BadUpstream('The model server broke off its answer.');
    }
    return block;
  }

  /**
   * Finishes the record of an answer with the outcome that its end tells; resolves with its usage when it is durable.
   * @throws Unavailable where it cannot be written
   */
  complete(): Promise<MeteredUsage> {
    this.source?.release();
    return this.settle(this.parts.codec.parser.outcome ?? 'completed');
  }

  /**
   * Finishes the record of an answer that did not become whole, and closes the upstream. Never fails.
   * @returns the error to be told: the reason of an abort, since everything that went wrong later comes from it
   */
  async fail(error: unknown): Promise<unknown> {
    const { aborted, reason } = this.closing.signal;
    // Its circuit is told of a server that goes on without saying anything.
    this.source?.cancel(error instanceof UpstreamTimeout ? 'broken' : 'stopped');
    try {
      await this.settle(aborted ? 'cancelled' : 'failed');
    } catch (unrecorded) {
      this.parts.log.warn({ err: unrecorded }, 'the end of a stream is not recorded yet');
    }
    return aborted ? reason : error;
  }

  /** Closes the upstream at once, in whatever phase, and finishes the record in the background. */
  cancel(reason: unknown): void {
    if (this.parts.call.isSettled || this.closing.signal.aborted) return;
    this.closing.abort(reason);
    this.fail(reason).catch((error: unknown) => {
      this.parts.log.error({ err: error }, 'a stream that was left could not be ended');
    });
  }

  private async open(): Promise<Buffer | undefined> {
    const { call, exchange, signal } = this.parts;
    if (this.isOpened) throw new Error('A stream is read by one call at a time.');
    this.isOpened = true;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.requestAborted, { once: true });
    const body = await unlessAborted(call.begin(), this.closing.signal);
    this.closing.signal.throwIfAborted();
    this.source = await exchange.open(body, call, this.closing.signal);
    this.startWaiting();
    return this.source.next();
  }

  private readonly requestAborted = (): void => this.cancel(this.parts.signal.reason);

  private settle(outcome: Outcome): Promise<MeteredUsage> {
    const { call, codec, exchange, signal } = this.parts;
    signal.removeEventListener('abort', this.requestAborted);
    const isCharged = outcome !== 'failed' || this.source !== undefined;
    const estimate = isCharged ? () => estimateStream(exchange.request, this.sample) : undefined;
    return call.settle({ outcome, reportedUsage: () => codec.parser.usage, estimate });
  }
}
