import type { PageForm, WebPage } from '../../../src/platform/extraction/web/web-page.types.js';
import { WebPageReader } from '../../../src/platform/extraction/web/web-page-reader.js';
import { silentLog } from '../probes/silent-log.js';

/** A reader of web pages; it is closed with the block that it is opened in. */
export function openReader(): WebPageReader & Disposable {
  const reader = new WebPageReader({ processes: 2, log: silentLog });
  return Object.assign(reader, { [Symbol.dispose]: () => reader.close() });
}

/** What a page of `https://example.com/dir/page` says. */
export function readPage(
  reader: WebPageReader,
  body: string | Buffer,
  {
    mediaType = 'text/html',
    charset,
    form = 'markdown',
  }: { readonly mediaType?: string; readonly charset?: string; readonly form?: PageForm } = {},
): Promise<WebPage> {
  const page = { finalUrl: 'https://example.com/dir/page', mediaType, charset, body: Buffer.from(body) };
  return reader.read(page, new AbortController().signal, form);
}

/** A page with an article that is long enough to be taken for one. */
export function articlePage(article: string, head = '', around = ''): string {
  const filler = Array.from(
    { length: 6 },
    (_, at) =>
      `<p>Paragraph ${at} tells of the tides, which turn twice a day, and of the ships, which wait for them.</p>`,
  );
  return `<!doctype html><html lang="en-GB"><head><title>Tides</title>${head}</head>
    <body><nav><a href="/">Home</a></nav><article><h1>Tides</h1>${article}${filler.join('\n')}</article>${around}</body></html>`;
}
