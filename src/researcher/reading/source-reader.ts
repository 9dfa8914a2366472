import { Readable } from 'node:stream';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { ExtractionFailed } from '../../platform/extraction/extraction-failed.js';
import type { Extractor } from '../../platform/extraction/extractor.js';
import { cleanTextSteps } from '../../platform/extraction/web/clean-text.js';
import type { WebPageReader } from '../../platform/extraction/web/web-page-reader.js';
import type { PageForm, WebPage } from '../../platform/extraction/web/web-page.types.js';
import type { PageFetcher } from '../../platform/net/pages/page-fetcher.js';
import { FairSlots } from '../../platform/async/fair-slots.js';
import { PageRefused } from '../../platform/net/pages/page-refused.js';
import type { FetchedPage } from '../../platform/net/pages/page.types.js';
import { detectLanguage } from '../../platform/text/language.js';

/** What is kept of a source, in UTF-16 units: some hundred pages. */
export const MOST_TEXT = 250_000;

/** How long a child may work on a PDF file. */
const PDF_SECONDS = 10;

/** Pages of one owner that wait to be read, of 5 MiB at most each. */
const WAITING = 50;

/** A page that was fetched, and what it says. */
export interface ReadSource {
  readonly finalUrl: string;
  readonly fetchedAt: Date;
  readonly page: WebPage;
}

/** Why a source has no text. */
export interface UnreadSource {
  /** `skipped` where it may not, or need not be read; `failed` where it cannot. */
  readonly status: 'skipped' | 'failed';
  readonly reason: string;
}

/** What their hosts, or this server, do not want read. */
const SKIPPED = new Set(['blocked_address', 'invalid_url', 'robots', 'unsupported_type', 'too_large']);

/** How a page is read. */
export interface SourceOptions {
  /** On whose behalf. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** What is told of it beside its text; of PDF files there is text alone. */
  readonly form?: PageForm;
}

interface SourceReaderParts {
  readonly pages: Pick<PageFetcher, 'fetch'>;
  readonly reader: Pick<WebPageReader, 'read'>;
  readonly extractor: Pick<Extractor, 'extract'>;
  /** Children of the reader, and of the extractor, which also reads files that users have uploaded. */
  readonly processes: number;
}

/**
 * Fetches pages, and tells what they say. Whose pages take long holds up nobody else: owners take turns, and where there
 * are several children, one is always left to others, and one of the extractor to files that are no pages.
 */
export class SourceReader {
  /** The children of the reader, and those of the extractor. */
  private readonly readers: FairSlots;
  private readonly extractors: FairSlots;

  constructor(private readonly parts: SourceReaderParts) {
    const { processes } = parts;
    this.readers = slotsOf(processes);
    this.extractors = slotsOf(Math.max(1, processes - 1));
  }

  /** Pages that wait to be read. */
  get waiting(): number {
    return this.readers.waiting + this.extractors.waiting;
  }

  /**
   * Reads a page of the web.
   * @throws the reason of the signal; nothing else that a page could bring about
   */
  async read(url: string, { owner, signal, form }: SourceOptions): Promise<ReadSource | UnreadSource> {
    try {
      const fetched = await this.parts.pages.fetch(url, { signal, owner });
      const read = await this.inTurn(fetched, { owner, signal, form });
      if (read.isScriptOnly) return { status: 'skipped', reason: 'javascript_required' };
      if (!/[\p{L}\p{N}]/u.test(read.text)) return { status: 'failed', reason: 'empty' };
      return { finalUrl: fetched.finalUrl, fetchedAt: fetched.fetchedAt, page: read };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PageRefused) return { status: statusOf(error.reason), reason: error.reason };
      if (error instanceof ExtractionFailed) return { status: 'failed', reason: error.reason };
      throw error;
    }
  }

  private async inTurn(fetched: FetchedPage, { owner, signal, form }: SourceOptions): Promise<WebPage> {
    const isPdf = fetched.mediaType === 'application/pdf';
    const release = await (isPdf ? this.extractors : this.readers).take(owner, signal);
    try {
      return await (isPdf ? this.readPdf(fetched, signal) : this.parts.reader.read(fetched, signal, form));
    } finally {
      release();
    }
  }

  private async readPdf({ body }: FetchedPage, signal: AbortSignal): Promise<WebPage> {
    const texts: string[] = [];
    let length = 0;
    try {
      const file = Readable.from([body]);
      const options = { kind: 'pdf', signal, seconds: PDF_SECONDS } as const;
      for await (const { text } of this.parts.extractor.extract(file, options)) {
        texts.push(text);
        length += text.length + 2;
        if (length >= MOST_TEXT) break;
      }
    } catch (error) {
      signal.throwIfAborted();
      // What could be read of it is what it says.
      if (texts.length === 0) throw error;
    }
    const text = await new CooperativeYield(signal).finish(cleanTextSteps(texts.join('\n\n').slice(0, MOST_TEXT)));
    return {
      title: '',
      byline: null,
      text,
      markdown: text,
      html: null,
      language: (await detectLanguage(text)) ?? null,
      publishedAt: null,
      links: [],
      isScriptOnly: false,
    };
  }
}

function slotsOf(slots: number): FairSlots {
  return new FairSlots({
    slots,
    perOwner: Math.max(1, slots - 1),
    waiting: WAITING,
    refusal: () => new PageRefused('server_busy'),
  });
}

function statusOf(reason: string): 'skipped' | 'failed' {
  return SKIPPED.has(reason) ? 'skipped' : 'failed';
}
