import { ExtractionFailed } from './extraction-failed.js';
import type { ExtractedPage, FailureReason } from './extraction.types.js';
import { LIMITS } from './limits.js';

/** What stands in no text: control characters but tabs and line breaks. Each becomes a blank, so that places hold. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Where the pages of one file go: it holds the bounds of what is given in all, and cleans every text. */
export class PageSink {
  private readonly send: (page: ExtractedPage) => Promise<void>;
  private characters = 0;
  private hasText = false;
  private firstFailure: FailureReason | undefined;
  private assumedCharset: string | undefined;

  constructor(send: (page: ExtractedPage) => Promise<void>) {
    this.send = send;
  }

  /** Says which charset is assumed, before the first piece of a text. */
  readonly assume = (charset: string): void => {
    this.assumedCharset = charset;
  };

  /**
   * Gives a page; resolves when the reader keeps up.
   * @throws ExtractionFailed too_large
   */
  async give(page: ExtractedPage): Promise<void> {
    const { text, title, blocks, boxes } = page;
    this.characters += text.length;
    if (this.characters > LIMITS.characters) throw new ExtractionFailed('too_large');
    refuseBeyond(page.number);
    this.firstFailure ??= page.failed;
    this.hasText ||= text.trim() !== '';
    const isTooMuch =
      text.length > LIMITS.pageCharacters ||
      blocks.length > LIMITS.blocks ||
      (boxes !== undefined && boxes.length > LIMITS.boxes);
    if (isTooMuch) await this.fail(page.number, 'too_large');
    else {
      const assumed = this.assumedCharset === undefined ? {} : { assumedCharset: this.assumedCharset };
      this.assumedCharset = undefined;
      await this.send({ ...page, ...assumed, title: title && clean(title).slice(0, 500), text: clean(text) });
    }
  }

  /** Says of a page that it cannot be read. */
  async fail(number: number | undefined, failed: FailureReason): Promise<void> {
    refuseBeyond(number);
    this.firstFailure ??= failed;
    await this.send({ number, origin: 'text', text: '', blocks: [], failed });
  }

  /** Behind the last page. @throws ExtractionFailed where the file has no text, with the reason of its first page */
  finish(): void {
    if (!this.hasText) throw new ExtractionFailed(this.firstFailure ?? 'empty');
  }
}

function refuseBeyond(page = 0): void {
  if (page > LIMITS.pages) throw new ExtractionFailed('too_large');
}

function clean(text: string): string {
  return text.replace(CONTROLS, ' ').toWellFormed();
}
