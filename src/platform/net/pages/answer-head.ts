import { MIMEType } from 'node:util';
import type { OriginResponse } from '../exchange.js';
import { PageRefused } from './page-refused.js';
import type { PageType } from './page.types.js';

/** The content codings that are read: their decoders hold 32 KiB. That of Brotli would hold 16 MiB for a hundred bytes. */
export type ContentCoding = 'gzip' | 'deflate';

type Headers = OriginResponse['headers'];

const CODINGS: Readonly<Record<string, ContentCoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
};

const TYPES: ReadonlySet<string> = new Set<PageType>([
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'application/pdf',
]);

/** The value of a header; of several lines they are joined by commas. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The content coding of an answer; undefined: none. @throws PageRefused unsupported_encoding */
export function codingOf(headers: Headers): ContentCoding | undefined {
  const names = (headerOf(headers, 'content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const [name] = names;
  if (name === undefined) return undefined;
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  // One within the other is what bombs are made of.
  if (names.length > 1 || !coding) throw new PageRefused('unsupported_encoding');
  return coding;
}

/**
 * What an answer says that it is. Of several lines the last one counts, as for browsers.
 * @returns undefined where it says nothing
 * @throws PageRefused unsupported_type
 */
export function contentTypeOf(headers: Headers): { mediaType: PageType; charset: string | undefined } | undefined {
  const given = headers['content-type'];
  const text = typeof given === 'object' ? given.at(-1) : given;
  if (text === undefined || text.trim() === '') return undefined;
  const type = parse(text);
  if (!type || !TYPES.has(type.essence)) throw new PageRefused('unsupported_type');
  return { mediaType: type.essence as PageType, charset: type.params.get('charset') ?? undefined };
}

/** How many bytes an answer announces; undefined where it does not, or not clearly. */
export function contentLengthOf(headers: Headers): number | undefined {
  const text = headerOf(headers, 'content-length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * How long a host wants to be left alone, in milliseconds, from 1 s; undefined where it does not say.
 * @param now Unix milliseconds
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim() ?? '';
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wanted) ? undefined : Math.max(1_000, wanted);
}

function parse(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}
