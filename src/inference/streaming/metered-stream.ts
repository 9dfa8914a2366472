import type { Logger } from 'pino';
import { BadUpstream, UpstreamTimeout } from '../../errors.js';
import type { MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { StreamParser } from './stream-parser.js';
import { FrameBuffer } from './frame-buffer.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { charged, estimateStream, NO_USAGE, StreamSample, UNASKED } from '../calls/usage-estimate.js';

/** How long an answer may go on without saying anything. */
const IDLE_MS = 300_000;

/** How a streamed call is made. */
export interface StreamCall {
  /** The request, for the estimate of its tokens. */
  readonly request: JsonObject;
  /** Opens the record of the call; before the upstream sees anything. */
  begin(): Promise<OpenCall>;
  /** Opens the upstream's answer. */
  open(signal: AbortSignal): Promise<ByteSource>;
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
  private beginning: Promise<OpenCall> | undefined;
  private call: OpenCall | undefined;
  private asked = false;
  private source: ByteSource | undefined;
  private waitingSince = 0;
  private settlement: Promise<MeteredUsage> | undefined;

  /** @param codec whose parser tells the usage; it may choose them while the answer is opened */
  constructor(
    private readonly start: StreamCall,
    private readonly codec: { readonly parser: StreamParser },
  ) {}

  /** To be called before what follows is read: from now on it is waited for. */
  startWaiting(): void {
    this.waitingSince = performance.now();
  }

  /**
   * To be called where what came was no event.
   * @throws UpstreamTimeout where there was none for too long
   */
  keepWaiting(): void {
    const { idleMilliseconds = IDLE_MS } = this.start;
    if (performance.now() - this.waitingSince < idleMilliseconds) return;
    throw new UpstreamTimeout('The model server did not go on with its answer in time.');
  }

  /** What the upstream sends next, for `accept`; undefined where it ends. */
  next(): Promise<Buffer | undefined> {
    return this.source ? this.source.next() : this.open();
  }

  /**
   * The whole frames of what came, as many as there are now; undefined: none yet.
   * @throws BadUpstream where the upstream ends in the middle, or the reason of an abort
   */
  accept(bytes: Buffer | undefined): Buffer | undefined {
    this.closing.signal.throwIfAborted();
    const block = bytes ? this.frames.push(bytes) : this.frames.end();
    if (block) {
      this.call?.answered?.();
      this.sample.add(block);
    } else if (!bytes) {
      throw new BadUpstream('The model server broke off its answer.');
    }
    return block;
  }

  /**
   * Finishes the record of a whole answer; resolves with its usage when it is durable.
   * @throws Unavailable where it cannot be written
   */
  complete(): Promise<MeteredUsage> {
    this.source?.release();
    return this.settle('completed');
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
      this.start.log.warn({ err: unrecorded }, 'the end of a stream is not recorded yet');
    }
    return aborted ? reason : error;
  }

  /** Closes the upstream at once, in whatever phase, and finishes the record in the background. */
  cancel(reason: unknown): void {
    if (this.settlement || this.closing.signal.aborted) return;
    this.closing.abort(reason);
    this.fail(reason).catch((error: unknown) => {
      this.start.log.error({ err: error }, 'a stream that was left could not be ended');
    });
  }

  private async open(): Promise<Buffer | undefined> {
    const { signal } = this.start;
    if (this.beginning) throw new Error('A stream is read by one call at a time.');
    signal.throwIfAborted();
    signal.addEventListener('abort', this.requestAborted, { once: true });
    this.beginning = this.start.begin();
    this.call = await unlessAborted(this.beginning, this.closing.signal);
    this.closing.signal.throwIfAborted();
    this.asked = true;
    this.source = await this.start.open(this.closing.signal);
    this.startWaiting();
    return this.source.next();
  }

  private readonly requestAborted = (): void => this.cancel(this.start.signal.reason);

  private settle(outcome: Outcome): Promise<MeteredUsage> {
    this.start.signal.removeEventListener('abort', this.requestAborted);
    this.settlement ??= this.record(outcome);
    return this.settlement;
  }

  private async record(outcome: Outcome): Promise<MeteredUsage> {
    // It may be on its way still, where the stream is left early.
    const call = await this.beginning?.catch(() => undefined);
    if (!call) return NO_USAGE;
    const usage = await this.usageOf(call, outcome);
    await call.finish(usage, outcome);
    return usage;
  }

  private async usageOf(call: OpenCall, outcome: Outcome): Promise<MeteredUsage> {
    if (!this.asked) return UNASKED;
    if (this.codec.parser.usage) return this.codec.parser.usage;
    const unanswered = outcome === 'failed' && !this.source;
    return unanswered ? NO_USAGE : charged(call, await estimateStream(this.start.request, this.sample));
  }
}

/** What was promised, or the reason of a signal where that comes first. */
function unlessAborted<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
