import { ClientGone } from '../../errors.js';
import { unlessAborted } from '../../platform/async/unless-aborted.js';
import { dataBatches } from '../../graph/data-batches.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { SpeechChunk } from './speech.types.js';
import type { EncodedSpeech } from './encoded-speech.js';

const DONE = { value: undefined, done: true } as const;

/** Speech as events: pieces of sound as base64, then what was used. */
export class SpeechEvents implements EventStream<SpeechChunk> {
  isWhole = false;
  private speech: EncodedSpeech | undefined;
  private pieces: AsyncIterator<Buffer> | undefined;
  private isOver = false;
  /** Aborted where nobody reads on. */
  private readonly ending = new AbortController();

  /** @param open begins to speak, until its signal is aborted; called at the first `next()` */
  constructor(
    private readonly open: (signal: AbortSignal) => Promise<EncodedSpeech>,
    private readonly signal: AbortSignal,
  ) {}

  async next(): Promise<IteratorResult<SpeechChunk>> {
    if (this.isOver) return DONE;
    try {
      return { value: await unlessAborted(this.advance(), this.signal), done: false };
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<SpeechChunk>> {
    this.isOver = true;
    this.ending.abort(new ClientGone());
    // It may be waiting for the engine, which is not waited for.
    this.pieces?.return?.().catch(() => undefined);
    return DONE;
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    return dataBatches(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async advance(): Promise<SpeechChunk> {
    this.speech ??= await this.open(AbortSignal.any([this.signal, this.ending.signal]));
    this.pieces ??= this.speech.encoded[Symbol.asyncIterator]();
    const { value, done } = await this.pieces.next();
    if (!done) {
      const audio = value.toString('base64');
      return toChunk({ type: 'speech.audio.delta', audio });
    }
    const { promptTokens, completionTokens } = this.speech.spoken.usage();
    this.isOver = true;
    this.isWhole = true;
    const usage = {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
    return toChunk({ type: 'speech.audio.done', usage });
  }
}

function toChunk(event: { readonly type: string; readonly audio?: string; readonly usage?: object }): SpeechChunk {
  return { type: event.type, audio: event.audio ?? null, raw: event };
}
