import htmlEncodingSniffer from 'html-encoding-sniffer';

const XML_DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*(["'])([\w.:-]{1,40})\1/;
/** `<?` in UTF-16, in which nothing else can be read before that is known. */
const UTF_16: readonly (readonly [charset: string, beginning: string])[] = [
  ['utf-16le', '<\0?\0'],
  ['utf-16be', '\0<\0?'],
];
/** Each alternative ends where the text does, so that time is in proportion to it. In comments and scripts nothing is declared. */
const META_OR_NO_ELEMENT =
  /<!--[^]*?(?:-->|$)|<(script|style|title|textarea|noscript|template|iframe)(?=[\s/>])[^]*?(?:<\/\1|$)|<meta[\s/][^>]*/gi;

/**
 * What an HTML text declares as its charset, as browsers read it: the first `meta` element that names one, also far behind
 * the beginning, else the XML declaration.
 * @param head without a byte order mark
 * @returns undefined where it declares nothing
 */
export function declaredCharset(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const wide = UTF_16.find(([, beginning]) => text.startsWith(beginning));
  if (wide) return wide[0];
  for (const [element] of text.matchAll(META_OR_NO_ELEMENT)) {
    const charset = /^<meta/i.test(element) ? metaCharset(`${element}>`) : undefined;
    if (charset !== undefined) return charset;
  }
  const label = XML_DECLARATION.exec(text)?.[2];
  return label === undefined ? undefined : metaCharset(`<meta charset="${label}">`);
}

/** By the rules for `meta`: UTF-16 that can be read so far is UTF-8. */
function metaCharset(element: string): string | undefined {
  const charset = htmlEncodingSniffer(Buffer.from(element, 'latin1'), { defaultEncoding: '' });
  return charset === '' ? undefined : charset;
}
