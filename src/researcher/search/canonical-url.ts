/** Longer ones are no addresses of pages that people read. */
const MAX_URL = 2_048;

/** Parameters that tell who has sent a reader, and never what is shown. */
const TRACKING = new Set([
  '_ga',
  '_gl',
  '_hsenc',
  '_hsmi',
  'dclid',
  'epik',
  'fbclid',
  'gad_source',
  'gbraid',
  'gclid',
  'gclsrc',
  'igshid',
  'li_fat_id',
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  'msclkid',
  'oly_anon_id',
  'oly_enc_id',
  'ref_src',
  'ref_url',
  'srsltid',
  'ttclid',
  'twclid',
  'vero_id',
  'wbraid',
  'yclid',
]);
const TRACKING_PREFIX = /^(?:utm|mtm|pk)_/;
const INDEX_PAGE = /\/index\.html?$/;
const ENCODED = /%[0-9a-f]{2}/gi;
/** Characters that mean the same with and without an encoding (RFC 3986, section 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/** The address of a page; undefined for what is none of http or https, has userinfo, or more than 2,048 UTF-16 units. */
export function toPageUrl(text: string): URL | undefined {
  if (text.length > MAX_URL) return undefined;
  const url = URL.parse(text);
  const isPage = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isPage || url.username !== '' || url.password !== '' || url.href.length > MAX_URL) return undefined;
  return url;
}

/**
 * What all addresses of a page have in common. It tells pages apart, and is not itself an address to go to:
 *
 * - the host in lower case and as IDNA has it (as `URL` writes it), without a dot at its end; `www.` stays
 * - http counts as https, and the usual port of either is left out
 * - no fragment, no parameters that only tell where a reader comes from (`utm_…`, `gclid` …), the others by name
 * - no slash at the end of a path, no `/index.html`, no empty segments in it
 * - percent-encodings in capitals, and none of letters, digits and `-._~`
 *
 * @param url of http or https
 */
export function canonicalUrl(url: URL): string {
  const host = url.hostname.replace(/\.$/, '');
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = normalEncodings(url.pathname)
    .replaceAll(/\/{2,}/g, '/')
    .replace(INDEX_PAGE, '/')
    .replace(/\/$/, '');
  return `https://${host}${port}${path}${canonicalQuery(url.search)}`;
}

function canonicalQuery(search: string): string {
  const kept = normalEncodings(search.slice(1))
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracking(nameOf(parameter)));
  // Those of one name keep their order: it may have a meaning.
  kept.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function nameOf(parameter: string): string {
  const end = parameter.indexOf('=');
  return end < 0 ? parameter : parameter.slice(0, end);
}

function isTracking(name: string): boolean {
  const lower = name.toLowerCase();
  return TRACKING.has(lower) || TRACKING_PREFIX.test(lower);
}

function normalEncodings(text: string): string {
  return text.replaceAll(ENCODED, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
