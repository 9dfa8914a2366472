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
export const DOCUMENT_KINDS =
  'DOCX, PPTX, XLSX, HTML, plain text (.txt), Markdown, SRT, WebVTT, JSON, PO, XLIFF (.xlf), Android strings.xml, ' +
  'Apple .strings, .arb, Java .properties';

const NOT_EMPTY: ReadonlySet<string> = new Set(['.docx', '.pptx', '.xlsx']);
const SUBRIP = /^\s*(?:\d+[ \t]*\r?\n)?[ \t]*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}[ \t]+-->[ \t]+\d/;
const CATALOG = /^(?:\s*(?:#[^\n]*)?\n)*(?:msgctxt[ \t]+"[^\n]*\n(?:"[^\n]*\n)*)?msgid[ \t]+"/;

const XML = /^\s*<\?xml\s/;
/** The first element of a file of XML, behind comments. */
const ROOT = /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<([\w.:-]{1,100})[\s>]/;
const ROOTS: Readonly<Record<string, DetectedDocument>> = {
  xliff: { kind: 'xliff', mediaType: 'application/xliff+xml' },
  resources: { kind: 'android', mediaType: 'application/xml' },
};

/** What a text is that its name alone tells. */
const NAMED: Readonly<Record<string, readonly [DetectedDocument, begins: RegExp]>> = {
  '.json': [{ kind: 'json', mediaType: 'application/json' }, /^\s*[[{"]/],
  '.arb': [{ kind: 'arb', mediaType: 'application/json' }, /^\s*\{/],
  '.strings': [{ kind: 'strings', mediaType: 'text/plain' }, /^/],
  '.properties': [{ kind: 'properties', mediaType: 'text/x-java-properties' }, /^/],
};

/** Endings of texts that people read. What has another one would be translated with its keys and signs. */
const PROSE: ReadonlySet<string> = new Set(['', '.txt', '.text', '.html', '.htm', '.xhtml']);
/** `Notes of May. Draft` and `Version 1.2` have no ending. */
const ENDING = /^\.(?=\d*[a-z])[a-z\d_-]{1,16}$/i;

/**
 * Tells by its content what a document is; its name chooses among texts that look alike.
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
  const text = new TextDecoder(charsetOf(head, false)).decode(head.subarray(0, 32_768), { stream: true });
  return textDocument(text.replace(/^\ufeff/, ''), filename) ?? (kind === 'markdown' ? { kind, mediaType } : undefined);
}

function textDocument(text: string, filename: string): DetectedDocument | undefined {
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return { kind: 'vtt', mediaType: 'text/vtt' };
  if (SUBRIP.test(text)) return { kind: 'srt', mediaType: 'application/x-subrip' };
  if (CATALOG.test(text)) return { kind: 'po', mediaType: 'text/x-gettext-translation' };
  const root = ROOTS[ROOT.exec(text)?.[1]?.replace(/^.*:/, '') ?? ''];
  if (root || XML.test(text)) return root;
  const ending = ENDING.exec(extname(filename))?.[0].toLowerCase() ?? '';
  const [named, begins] = NAMED[ending] ?? [];
  if (begins) return begins.test(text) ? named : undefined;
  return PROSE.has(ending) ? { kind: 'text', mediaType: 'text/plain' } : undefined;
}
