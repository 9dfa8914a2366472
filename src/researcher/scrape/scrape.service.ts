import { escapeUTF8 } from 'entities';
import pLimit from 'p-limit';
import type { Caller } from '../../access/caller.js';
import type { WebPage } from '../../platform/extraction/web/web-page.types.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import type { CredibilityService } from '../credibility/credibility.service.js';
import type { SourceReader } from '../reading/source-reader.js';
import type { ScrapeFormat, ScrapedPage } from './scrape.types.js';

/** Pages of one request that are read at the same time. */
const AT_ONCE = 4;

interface ScrapeServiceParts {
  readonly reader: Pick<SourceReader, 'read'>;
  readonly credibility: Pick<CredibilityService, 'scoresOf'>;
}

/** Reads pages that somebody names. Nothing of them is stored. */
export class ScrapeService {
  constructor(private readonly parts: ScrapeServiceParts) {}

  /** The pages in their order; one that may not, or cannot be read has a `reason`. @throws the reason of the signal */
  async read(
    caller: Caller,
    urls: readonly string[],
    format: ScrapeFormat,
    signal: AbortSignal,
  ): Promise<readonly ScrapedPage[]> {
    const scores = await this.parts.credibility.scoresOf(caller);
    const limit = pLimit(AT_ONCE);
    return limit.map(urls, (url) => this.page(url, { format, scores, owner: caller.userId, signal }));
  }

  private async page(
    url: string,
    {
      format,
      scores,
      owner,
      signal,
    }: {
      readonly format: ScrapeFormat;
      readonly scores: CredibilityScores | undefined;
      readonly owner: string;
      readonly signal: AbortSignal;
    },
  ): Promise<ScrapedPage> {
    const read = await this.parts.reader.read(url, { owner, signal, form: format });
    if ('status' in read) return { ...NOTHING, url, reason: read.reason };
    const { finalUrl, fetchedAt, page } = read;
    const { title, byline, language, publishedAt, links } = page;
    const credibility = scores?.scoreOf(new URL(finalUrl).hostname) ?? null;
    const text = textIn(format, page);
    return {
      url,
      finalUrl,
      title: title === '' ? null : title,
      byline,
      text,
      language,
      publishedAt,
      fetchedAt,
      links,
      credibility,
      reason: null,
    };
  }
}

const NOTHING = {
  finalUrl: null,
  title: null,
  byline: null,
  text: null,
  language: null,
  publishedAt: null,
  fetchedAt: null,
  links: [],
  credibility: null,
} as const;

/** Of a PDF file there is text alone. */
function textIn(format: ScrapeFormat, { text, markdown, html }: WebPage): string {
  if (format === 'html') return html ?? `<pre>${escapeUTF8(text)}</pre>`;
  return format === 'text' ? text : markdown;
}
