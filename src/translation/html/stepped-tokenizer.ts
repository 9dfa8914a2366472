import { Tokenizer } from 'parse5';
import type { Token } from 'parse5';

/** Code points of one step. */
const STEP = 8_192;
/** Attributes of one tag: no page has so many. */
const MOST_ATTRIBUTES = 1_000;

/** parse5's tokenizer, paused after each step, also within a token: `resume` does the next one. */
export class SteppedTokenizer extends Tokenizer {
  /** Whether a tag has more attributes than are read: what comes behind is not to be read. */
  isExceeded = false;
  private consumed = 0;

  /** Whether there is more to read. */
  get isPaused(): boolean {
    return this.paused;
  }

  protected override _consume(): number {
    this.consumed += 1;
    if (this.consumed % STEP === 0) this.pause();
    return super._consume();
  }

  protected override _createAttr(first: string): void {
    super._createAttr(first);
    if ((this.currentToken as Token.TagToken).attrs.length < MOST_ATTRIBUTES) return;
    this.isExceeded = true;
    this.pause();
  }
}
