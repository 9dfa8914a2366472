import { extname } from 'node:path';
import { detectType } from '../../../platform/extraction/detect-type.js';
import { charsetOf } from '../../../platform/extraction/formats/text-decoding.js';
import type { DocumentKind } from '../formats/document-format.js';

/** What a document is. */
export interface DetectedDocument {
  readonly mediaType: string;
  readonly kind: DocumentKind;
}

/** What the documents are called that are translated, for errors. */
export const DOCUMENT_KINDS = 'DOCX, PPTX, XLSX, HTML, plain text, Markdown, SRT, WebVTT, JSON, PO';

const NOT_EMPTY: ReadonlySet<string> = new Set(['.docx', '.pptx', '.xlsx']);
const SUBRIP = /^\s*(?:\d+[ \t]*\r?\n)?[ \t]*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+\d/;
const CATALOG = /^(?:\s*(?:#[^\n]*)?\n)*(?:msgctxt[ \t]+"[^\n]*\n(?:"[^\n]*\n)*)?msgid[ \t]+"/;

/**
 * Tells by its content what a document is; its name chooses between JSON, Markdown and plain text.
 * @param head its first bytes
 * @returns undefined: it is none that is translated
 * @throws ExtractionFailed with a sentence for users where it is an office file with macros or a password
 */
export async function detectDocument(head: Uint8Array, filename: string): Promise<DetectedDocument | undefined> {
  // A file without bytes is a text, but none that its name calls something else.
  if (head.length === 0 && NOT_EMPTY.has(extname(filename).toLowerCase())) return undefined;
  const found = await detectType(head, filename);
  if (!found) return undefined;
  const { kind, mediaType } = found;
  if (kind === 'docx' || kind === 'pptx' || kind === 'xlsx' || kind === 'html') return { kind, mediaType };
  if (kind !== 'text' && kind !== 'markdown') return undefined;
  const text = new TextDecoder(charsetOf(head, false)).decode(head.subarray(0, 4_096), { stream: true });
  if (/^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(text)) return { kind: 'vtt', mediaType: 'text/vtt' };
  if (SUBRIP.test(text)) return { kind: 'srt', mediaType: 'application/x-subrip' };
  if (CATALOG.test(text)) return { kind: 'po', mediaType: 'text/x-gettext-translation' };
  const isJson = extname(filename).toLowerCase() === '.json' && /^\ufeff?\s*[[{"]/.test(text);
  return isJson ? { kind: 'json', mediaType: 'application/json' } : { kind, mediaType };
}
