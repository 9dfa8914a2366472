import { Readable } from 'node:stream';
import { ExtractionFailed } from '../../platform/extraction/extraction-failed.js';
import type { Extractor } from '../../platform/extraction/extractor.js';
import { cleanText } from '../../platform/extraction/web/clean-text.js';
import type { WebPageReader } from '../../platform/extraction/web/web-page-reader.js';
import type { PageForm, WebPage } from '../../platform/extraction/web/web-page.types.js';
import type { PageFetcher } from '../../platform/net/pages/page-fetcher.js';
import { PageRefused } from '../../platform/net/pages/page-refused.js';
import type { FetchedPage } from '../../platform/net/pages/page.types.js';
import { detectLanguage } from '../../platform/text/language.js';

/** What is kept of a source, in UTF-16 units: some hundred pages. */
export const MOST_TEXT = 250_000;

/** Time for a PDF file, beside what its pages may take by themselves. */
const PDF_MS = 60_000;

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
}

/** Fetches pages, and tells what they say. */
export class SourceReader {
  constructor(private readonly parts: SourceReaderParts) {}

  /**
   * Reads a page of the web.
   * @throws the reason of the signal; nothing else that a page could bring about
   */
  async read(url: string, { owner, signal, form }: SourceOptions): Promise<ReadSource | UnreadSource> {
    try {
      const fetched = await this.parts.pages.fetch(url, { signal, owner });
      const page = fetched.mediaType === 'application/pdf' ? await this.readPdf(fetched, signal) : undefined;
      const read = page ?? (await this.parts.reader.read(fetched, signal, form));
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

  private async readPdf({ body }: FetchedPage, signal: AbortSignal): Promise<WebPage> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(PDF_MS)]);
    const texts: string[] = [];
    let length = 0;
    try {
      const file = Readable.from([body]);
      for await (const { text } of this.parts.extractor.extract(file, { kind: 'pdf', signal: bounded })) {
        texts.push(text);
        length += text.length + 2;
        if (length >= MOST_TEXT) break;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (bounded.aborted) throw new ExtractionFailed('timeout');
      // What could be read of it is what it says.
      if (texts.length === 0) throw error;
    }
    const text = cleanText(texts.join('\n\n').slice(0, MOST_TEXT));
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

function statusOf(reason: string): 'skipped' | 'failed' {
  return SKIPPED.has(reason) ? 'skipped' : 'failed';
}
