import { ClientGone } from '../../errors.js';
import { dataBatches } from '../../graph/data-batches.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { TextListener } from './text-translator.js';
import type { TextTranslation, TranslatedText, TranslationItem } from './text-translation.types.js';

const DONE = { value: undefined, done: true } as const;

/** Translates, and tells of each text. */
type Translate = (signal: AbortSignal, onText: TextListener) => Promise<TextTranslation>;

/** A translation as events: one for each text, as soon as it is ready. Nothing is asked for before the first `next()`. */
export class TranslationEvents implements EventStream<TranslationItem> {
  isWhole = false;
  private readonly ready: TranslationItem[] = [];
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private isTranslated = false;
  private isOver = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly translate: Translate,
    private readonly signal: AbortSignal,
  ) {}

  async next(): Promise<IteratorResult<TranslationItem>> {
    if (!this.isOver) this.running ??= this.run();
    while (!this.isOver) {
      const item = this.ready.shift();
      if (item) return { value: item, done: false };
      if (this.failure) {
        this.end();
        throw this.failure.error;
      }
      if (this.isTranslated) {
        this.isWhole = true;
        this.end();
        break;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return DONE;
  }

  async return(): Promise<IteratorResult<TranslationItem>> {
    this.end();
    return DONE;
  }

  batches(): AsyncIterableIterator<Uint8Array> {
    // All that is ready goes out at once.
    return dataBatches(this, () => this.ready.splice(0));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async run(): Promise<void> {
    const abort = (): void => this.ending.abort(this.signal.reason);
    if (this.signal.aborted) abort();
    this.signal.addEventListener('abort', abort, { once: true });
    try {
      await this.translate(this.ending.signal, (index, text) => {
        this.ready.push(toItem(index, text));
        this.wake?.();
      });
      this.isTranslated = true;
    } catch (error) {
      this.failure = { error };
    } finally {
      this.signal.removeEventListener('abort', abort);
      this.wake?.();
    }
  }

  /** Ends the work, where it is not over, and whoever waits for it. */
  private end(): void {
    this.isOver = true;
    this.ending.abort(new ClientGone());
    this.wake?.();
  }
}

function toItem(index: number, text: TranslatedText): TranslationItem {
  const { detectedLanguage, engine, warnings } = text;
  const raw = {
    object: 'translation.item',
    index,
    text: text.text,
    detected_language: detectedLanguage,
    engine,
    warnings,
  };
  return { ...text, index, raw };
}
