import { ClientGone } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { CallContext } from '../calls/model-call.js';
import { NO_USAGE } from '../calls/usage.js';
import { speechPieces } from './speech-pieces.js';
import type { SpokenAudio } from './speech.types.js';
import { SpokenPiece } from './spoken-piece.js';
import type { SpokenPieceParts } from './spoken-piece.js';

/** A text that is spoken piece by piece: while one is heard, the next is asked for. Each is a call of its own. */
export class SpokenText {
  private readonly pieces: Generator<string, void, undefined>;
  private readonly ending = new AbortController();
  private isFirst = true;
  /** The first piece, until it is read. */
  private unread: SpokenPiece | undefined;
  /** Of all pieces; known once the first is open. */
  private sampleRate: number | undefined;
  private used: MeteredUsage = { ...NO_USAGE, audioMilliseconds: 0 };

  constructor(
    input: string,
    private readonly parts: SpokenPieceParts,
  ) {
    this.pieces = speechPieces(input);
  }

  /**
   * Begins to speak; resolves when the first samples are there.
   * @throws as `models.complete` does
   */
  async open(): Promise<SpokenAudio> {
    const { signal } = this.parts.call.context;
    signal.throwIfAborted();
    signal.addEventListener('abort', this.abort, { once: true });
    try {
      const first = await this.openNext();
      this.unread = first;
      this.sampleRate = first?.sampleRate;
      const samples = this.samples(first);
      const usage = (): MeteredUsage => ({ ...this.used });
      return { model: this.parts.model, sampleRate: first?.sampleRate || 16_000, samples, usage };
    } catch (error) {
      signal.removeEventListener('abort', this.abort);
      throw error;
    }
  }

  private async *samples(first: SpokenPiece | undefined): AsyncGenerator<Buffer, void, undefined> {
    let current = first;
    this.unread = undefined;
    let following: Promise<SpokenPiece | undefined> | undefined;
    try {
      while (current) {
        following = this.openNext();
        // It is told when its turn comes.
        following.catch(() => undefined);
        yield* current.samples();
        this.add(current.usage);
        current = undefined;
        current = await following;
      }
    } finally {
      this.parts.call.context.signal.removeEventListener('abort', this.abort);
      // Nothing happens where all is said.
      this.ending.abort(new ClientGone());
      await Promise.all([current?.leave(), following?.then((piece) => piece?.leave()).catch(() => undefined)]);
    }
  }

  private add(usage: MeteredUsage): void {
    this.used = {
      promptTokens: this.used.promptTokens + usage.promptTokens,
      completionTokens: this.used.completionTokens + usage.completionTokens,
      audioMilliseconds: (this.used.audioMilliseconds ?? 0) + (usage.audioMilliseconds ?? 0),
      precision: 'estimated',
    };
  }

  private async openNext(): Promise<SpokenPiece | undefined> {
    const { value: text, done } = this.pieces.next();
    if (done) return undefined;
    const piece = new SpokenPiece(text, this.parts, this.contextOfNext());
    await piece.open(this.sampleRate);
    return piece;
  }

  /** The request's limit, and its Idempotency-Key, belong to its first call. */
  private contextOfNext(): CallContext {
    const { admission, ...context } = this.parts.call.context;
    const isFirst = this.isFirst;
    this.isFirst = false;
    return { ...context, signal: this.ending.signal, ...(isFirst && admission && { admission }) };
  }

  private readonly abort = (): void => {
    this.ending.abort(this.parts.call.context.signal.reason);
    void this.unread?.leave();
  };
}
