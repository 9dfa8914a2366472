import type { CallOwner } from '../../access/caller.js';
import { BadUpstream, UpstreamTimeout } from '../../errors.js';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { retryable } from '../backends/routing/attempt-failure.js';
import type { RoutePlanner } from '../backends/routing/route-planner.js';
import { MeteredCall } from '../calls/metered-call.js';
import type { CallContext, CallRecorder } from '../calls/model-call.js';
import { countTokens } from '../calls/tokenizer.js';
import { NO_USAGE } from '../calls/usage.js';
import { audioTraits } from './audio-traits.js';
import type { PcmSource } from './engine.types.js';
import type { SpeakCall } from './speech.types.js';

/** How long anybody takes for a character at its own pace, at most: a digit is a word. */
const MILLISECONDS_PER_CHARACTER = 500;
/** Of the shortest text, and silence around it. */
const LEAST_MILLISECONDS = 5_000;
/** What comes beyond what was reserved is no speech of the text. */
const EXCESS = 4;
/** How long an engine may be silent within an answer. */
const IDLE_MS = 60_000;

/** What the pieces of one text share. */
export interface SpokenPieceParts {
  readonly caller: CallOwner;
  readonly call: SpeakCall;
  /** The public name of the model. */
  readonly model: string;
  readonly planner: RoutePlanner;
  readonly recorder: CallRecorder;
}

/** One call of an engine that says a piece of a text: it is recorded before the engine is asked, and settled once. */
export class SpokenPiece {
  private source: PcmSource | undefined;
  private call: MeteredCall | undefined;
  private bytes = 0;
  private used: MeteredUsage = NO_USAGE;
  private readonly mostMilliseconds: number;

  /** @param context of the call, whose signal ends the piece */
  constructor(
    private readonly text: string,
    private readonly parts: SpokenPieceParts,
    private readonly context: CallContext,
  ) {
    const pace = Math.min(1, parts.call.speed ?? 1);
    this.mostMilliseconds = Math.ceil((LEAST_MILLISECONDS + text.length * MILLISECONDS_PER_CHARACTER) / pace);
  }

  /** In hertz; once it is open. */
  get sampleRate(): number {
    return this.source?.sampleRate ?? 0;
  }

  /** What it has used; when it is over. */
  get usage(): MeteredUsage {
    return this.used;
  }

  /**
   * Asks the engine; resolves when the first samples are there.
   * @param sampleRate of the pieces before: an engine that speaks at another is not taken
   * @throws as `models.complete` does
   */
  async open(sampleRate?: number): Promise<void> {
    const { caller, call: spoken, model, planner, recorder } = this.parts;
    const { context } = this;
    const request: JsonObject = { ...spoken.extra, model, input: this.text };
    const plan = await planner.plan(caller, { model, operation: 'speech', byok: context.byok });
    const sizing = { audio: { promptMilliseconds: 0, answerMilliseconds: this.mostMilliseconds } };
    this.call = new MeteredCall({
      caller,
      area: 'echo',
      operation: 'speech',
      request,
      sizing,
      context,
      plan,
      recorder,
    });
    await this.call.begin();
    try {
      context.signal.throwIfAborted();
      this.source = await this.call.run(async ({ backend, model: served }, options) => {
        const { voice, speed = 1, extra: fields = {} } = spoken;
        const traits = served.audio ?? audioTraits();
        const asked = { model: served.upstream, traits, input: this.text, voice, speed, fields };
        const source = await backend.speak(asked, options);
        if (sampleRate === undefined || source.sampleRate === sampleRate) return source;
        source.cancel();
        throw retryable(otherRate(sampleRate, source.sampleRate), 'failed');
      });
    } catch (error) {
      await this.settle(context.signal.aborted ? 'cancelled' : 'failed').catch(() => undefined);
      throw error;
    }
  }

  /**
   * Its samples; ends when its record is durable.
   * @throws BadUpstream, UpstreamTimeout, the reason of the signal
   */
  async *samples(): AsyncGenerator<Buffer, void, undefined> {
    let end: Outcome = 'cancelled';
    try {
      for (let samples = await this.next(); samples; samples = await this.next()) {
        this.bytes += samples.length;
        if (this.milliseconds > EXCESS * this.mostMilliseconds)
          throw new BadUpstream('The speech engine goes on without an end.');
        this.call?.answered();
        yield samples;
      }
      if (this.bytes === 0 && /[\p{L}\p{N}]/u.test(this.text))
        throw new BadUpstream('The speech engine sent no sound.');
      end = 'completed';
    } catch (error) {
      if (!this.context.signal.aborted) end = 'failed';
      throw error;
    } finally {
      if (end === 'completed') await this.settle(end);
      else await this.leave(end);
    }
  }

  /** Ends the engine's work, and records what it has said. Never fails. */
  async leave(end: Outcome = 'cancelled'): Promise<void> {
    this.source?.cancel();
    await this.settle(end).catch(() => undefined);
  }

  private get milliseconds(): number {
    return this.sampleRate === 0 ? 0 : (this.bytes / 2 / this.sampleRate) * 1_000;
  }

  private async next(): Promise<Buffer | undefined> {
    const { source } = this;
    if (!source) throw new Error('A piece is opened before it is read.');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const tell = (): void => reject(new UpstreamTimeout('The speech engine did not go on in time.'));
      timer = setTimeout(tell, IDLE_MS).unref();
    });
    const next = source.next();
    // Where it is late, nobody waits for it any more.
    next.catch(() => undefined);
    try {
      return await Promise.race([next, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The text is charged as soon as the engine has begun to say it. */
  private async settle(outcome: Outcome): Promise<void> {
    const isCharged = outcome !== 'failed' || this.source !== undefined;
    const estimate = async () => ({
      promptTokens: await countTokens([this.text]),
      completionTokens: 0,
      precision: 'estimated' as const,
    });
    const audioMilliseconds = Math.round(this.milliseconds);
    const end = { outcome, ...(isCharged && { estimate }), audioMilliseconds };
    this.used = (await this.call?.settle(end)) ?? NO_USAGE;
  }
}

/** Each piece at a rate of its own would have to be computed anew. */
function otherRate(before: number, now: number): BadUpstream {
  return new BadUpstream(
    `The model server changed the rate of its sound from ${before} to ${now} Hz within an answer.`,
  );
}
