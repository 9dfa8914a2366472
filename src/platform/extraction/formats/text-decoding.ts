import htmlEncodingSniffer from 'html-encoding-sniffer';

/** So much of a text is looked at to tell its charset, in bytes. */
const SNIFFED_BYTES = 256 * 1024;

/** How the bytes of a text without a byte order mark that are no UTF-8 are read: Western European, as browsers do. */
const LEGACY = 'windows-1252';

/**
 * Decodes a text: by its byte order mark; of HTML by what it declares; as UTF-8 where its beginning is that; else by the
 * legacy charset. What cannot be decoded becomes U+FFFD.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { isHtml = false }: { readonly isHtml?: boolean } = {},
): AsyncGenerator<string, void, undefined> {
  let head: Uint8Array[] | undefined = [];
  let size = 0;
  let decoder = new TextDecoder();
  for await (const chunk of chunks) {
    size += chunk.length;
    head?.push(chunk);
    if (head && size < SNIFFED_BYTES) continue;
    if (head) {
      const bytes = Buffer.concat(head);
      decoder = new TextDecoder(charsetOf(bytes, isHtml));
      yield decoder.decode(bytes, { stream: true });
    } else yield decoder.decode(chunk, { stream: true });
    head = undefined;
  }
  if (head) {
    const bytes = Buffer.concat(head);
    decoder = new TextDecoder(charsetOf(bytes, isHtml));
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

/** A charset as TextDecoder knows it. @param head the beginning of a text */
export function charsetOf(head: Uint8Array, isHtml: boolean): string {
  const defaultEncoding = isUtf8(head) ? 'utf-8' : LEGACY;
  // Without HTML only its byte order mark is looked at.
  const charset = htmlEncodingSniffer(isHtml ? head : head.subarray(0, 3), { defaultEncoding });
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return defaultEncoding;
  }
}

/** Whether this is the beginning of a UTF-8 text; a character that is cut off at its end does not matter. */
export function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
