import htmlEncodingSniffer from 'html-encoding-sniffer';
import { guessCharset, isEscapedJapanese, tellCharset } from './charset-detection.js';
import { declaredCharset } from './declared-charset.js';

/** So much of a text is looked at to tell its charset, in bytes. */
const SNIFFED_BYTES = 256 * 1024;

/** How a text is decoded. */
interface DecodingOptions {
  readonly isHtml?: boolean;
  /** Told the charset of a text that does not say it, and is no UTF-8. */
  readonly onGuess?: (charset: string) => void;
}

/**
 * Decodes a text: by its byte order mark; of HTML by what it declares; as UTF-8 where its beginning is that; else by the
 * charset that it seems to be in. What cannot be decoded becomes U+FFFD.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { isHtml = false, onGuess }: DecodingOptions = {},
): AsyncGenerator<string, void, undefined> {
  let head: Uint8Array[] | undefined = [];
  let size = 0;
  let decoder = new TextDecoder();
  const begin = async (bytes: Uint8Array): Promise<string> => {
    const told = toldCharset(bytes, isHtml);
    const charset = told ?? (await tellCharset(bytes));
    if (told === undefined) onGuess?.(charset);
    decoder = new TextDecoder(charset);
    return decoder.decode(bytes, { stream: true });
  };
  for await (const chunk of chunks) {
    size += chunk.length;
    head?.push(chunk);
    if (head && size < SNIFFED_BYTES) continue;
    yield head ? await begin(Buffer.concat(head)) : decoder.decode(chunk, { stream: true });
    head = undefined;
  }
  if (head) yield await begin(Buffer.concat(head));
  yield decoder.decode();
}

/**
 * A charset as TextDecoder knows it: as `toldCharset` says, else what the bytes look like.
 * @param bytes a text, of which the beginning is looked at
 * @param label what the head of an answer says
 */
export function charsetOf(bytes: Uint8Array, isHtml: boolean, label?: string): string {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  return toldCharset(head, isHtml, label) ?? guessCharset(head);
}

/**
 * The charset by the byte order mark, else by `label`, else by what HTML declares, else UTF-8 where the text is that.
 * @returns undefined where nothing says it
 */
function toldCharset(head: Uint8Array, isHtml: boolean, label?: string): string | undefined {
  // Without HTML only its byte order mark is looked at.
  const declared = htmlEncodingSniffer(isHtml ? head : head.subarray(0, 3), {
    ...(label !== undefined && { transportLayerEncodingLabel: label }),
    defaultEncoding: (isHtml ? declaredCharset(head) : undefined) ?? '',
  });
  try {
    if (declared !== '') return new TextDecoder(declared).encoding;
  } catch {
    // A charset that is not known says nothing.
  }
  if (!isUtf8(head)) return undefined;
  return isEscapedJapanese(head) ? 'iso-2022-jp' : 'utf-8';
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
