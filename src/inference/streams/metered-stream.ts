import type { Logger } from 'pino';
import { BadUpstream } from '../../errors.js';
import type { MeteredUsage, OpenCall, Outcome } from '../../metering/metering.types.js';
import type { ByteSource } from '../../platform/egress.js';
import type { AnswerEvents } from './answer-events.js';
import { FrameBuffer } from './event-frames.js';
import type { JsonObject } from '../json.types.js';
import { estimateStream, NO_USAGE, StreamSample, UNASKED } from '../usage-estimate.js';

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
}

/**
 * The life of one streamed call: its record is begun before the upstream is opened, and finished exactly once, however
 * the stream ends. Nothing happens before the first `read`.
 */
export class MeteredStream {
  private readonly frames = new FrameBuffer();
  private readonly sample = new StreamSample();
  private readonly closing = new AbortController();
  private opened = false;
  private asked = false;
  private call: OpenCall | undefined;
  private source: ByteSource | undefined;
  private settlement: Promise<MeteredUsage> | undefined;

  /** @param dialect whose events tell the usage; it may choose them while the answer is opened */
  constructor(
    private readonly start: StreamCall,
    private readonly dialect: { readonly events: AnswerEvents },
  ) {}

  /**
   * The next whole frames, as many as have arrived.
   * @throws BadUpstream where the upstream ends in the middle, or the reason of an abort
   */
  async read(): Promise<Buffer> {
    if (!this.opened) await this.open();
    for (;;) {
      const bytes = await this.source?.next();
      this.closing.signal.throwIfAborted();
      const block = bytes ? this.frames.push(bytes) : this.frames.end();
      if (block) {
        this.call?.answered?.();
        this.sample.add(block);
        return block;
      }
      if (!bytes) throw new BadUpstream('The model server broke off its answer.');
    }
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
    this.source?.cancel();
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
    // A call that is still being begun is finished by the read that waits for it.
    if (this.call) void this.fail(reason);
  }

  private async open(): Promise<void> {
    const { signal } = this.start;
    this.opened = true;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.requestAborted, { once: true });
    this.call = await this.start.begin();
    this.closing.signal.throwIfAborted();
    this.asked = true;
    this.source = await this.start.open(this.closing.signal);
  }

  private readonly requestAborted = (): void => this.cancel(this.start.signal.reason);

  private settle(outcome: Outcome): Promise<MeteredUsage> {
    this.start.signal.removeEventListener('abort', this.requestAborted);
    this.settlement ??= this.record(outcome);
    return this.settlement;
  }

  private async record(outcome: Outcome): Promise<MeteredUsage> {
    if (!this.call) return NO_USAGE;
    const usage = await this.usageOf(outcome);
    await this.call.finish(usage, outcome);
    return usage;
  }

  private async usageOf(outcome: Outcome): Promise<MeteredUsage> {
    if (!this.asked) return UNASKED;
    if (this.dialect.events.usage) return this.dialect.events.usage;
    const unanswered = outcome === 'failed' && !this.source;
    return unanswered ? NO_USAGE : estimateStream(this.start.request, this.sample);
  }
}
