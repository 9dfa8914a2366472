import { PageRefused } from './page-refused.js';

/** Longer URLs are refused, in UTF-16 units. */
export const LONGEST_URL = 2_048;

/**
 * The URL of a page, without its fragment.
 * @param base of the page whose redirect it is
 * @throws PageRefused invalid_url where it is not http or https, is too long, or has a name or password in it
 */
export function toPageUrl(text: string, base?: URL): URL {
  if (text.length > LONGEST_URL || !URL.canParse(text, base?.href)) throw new PageRefused('invalid_url');
  const url = new URL(text, base?.href);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '' || url.href.length > LONGEST_URL) {
    throw new PageRefused('invalid_url');
  }
  url.hash = '';
  return url;
}

/** The host that a URL leads to, whatever its port; a dot at its end makes no other host of it. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}
