import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { ExtractionFailed } from './extraction-failed.js';
import type { FileKind } from './extraction.types.js';
import { charsetOf, isUtf8 } from './formats/text-decoding.js';

/** What a file is. */
export interface DetectedType {
  readonly mediaType: string;
  readonly kind: FileKind;
}

/** So much of a file's beginning tells what it is, in bytes; with less an office file may not be known. */
export const DETECTION_BYTES = 64 * 1024;

const OFFICE = 'application/vnd.openxmlformats-officedocument.';

/** What is told by its first bytes, by the media types of file-type. */
const BINARY: Readonly<Record<string, FileKind>> = {
  [`${OFFICE}wordprocessingml.document`]: 'docx',
  [`${OFFICE}spreadsheetml.sheet`]: 'xlsx',
  [`${OFFICE}presentationml.presentation`]: 'pptx',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/tiff': 'image',
  'image/webp': 'image',
};

const OFFICE_NAMES = new Set(['.docx', '.xlsx', '.pptx']);

const TEXT_TYPES: Readonly<Record<string, DetectedType>> = {
  html: { mediaType: 'text/html', kind: 'html' },
  markdown: { mediaType: 'text/markdown', kind: 'markdown' },
  csv: { mediaType: 'text/csv', kind: 'csv' },
  text: { mediaType: 'text/plain', kind: 'text' },
};

/** Which text a name says that it is. */
const TEXT_NAMES: Readonly<Record<string, keyof typeof TEXT_TYPES>> = {
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.csv': 'csv',
  '.tsv': 'csv',
};

/** Texts that are programs for a page, in which what is written does not stand as such. */
const PAGE_PROGRAM = /^\s*(?:\{\\rtf|%!PS|%FDF-)/;

const HTML_BEGIN =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/i;

const OLE_MAGIC = 0xd0cf11e0;

/** Tabs, line breaks and form feeds may stand in texts, and escapes in some Japanese ones. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/**
 * Tells by its content what a file is. Its name chooses among kinds of text alone.
 * @param head its first bytes, DETECTION_BYTES of them where it has as many
 * @returns undefined: it is nothing that is read
 * @throws ExtractionFailed with a sentence for users where it is an office file with macros or a password
 */
export async function detectType(head: Uint8Array, filename: string): Promise<DetectedType | undefined> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, DETECTION_BYTES));
  const beginning = bytes.toString('latin1', 0, 1_024);
  // Some programs write something before it.
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(beginning)) return { mediaType: 'application/pdf', kind: 'pdf' };
  if (bytes.length >= 4 && bytes.readUInt32BE() === OLE_MAGIC) return refuseEncrypted(bytes, filename);
  const text = textOf(bytes);
  if (text !== undefined) return PAGE_PROGRAM.test(text) ? undefined : textType(text, filename);
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && /macroenabled/i.test(found.mime)) {
    throw new ExtractionFailed('unsupported', 'The file contains macros, and is not read.');
  }
  const kind = found && BINARY[found.mime];
  return kind && { mediaType: found.mime, kind };
}

/**
 * Whether a page that is said to be a text may be one: of whatever charset, it has hardly any bytes that no text has, and is
 * no program for a page.
 * @param charset what it is said to be written in
 */
export function mayBeText(head: Uint8Array, charset = ''): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, DETECTION_BYTES));
  const isWide = /^utf-?(?:16|32)/i.test(charset) || charsetOf(bytes, true).startsWith('utf-16');
  const strange = isWide ? 0 : bytes.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0);
  return strange <= bytes.length / 100 && !PAGE_PROGRAM.test(bytes.toString('latin1', 0, 1_024));
}

function isControl(byte: number): boolean {
  return byte < 0x20 && !TEXT_CONTROLS.has(byte);
}

/** An office file with a password is an OLE file with a stream of this name; other OLE files are of older programs. */
function refuseEncrypted(bytes: Buffer, filename: string): undefined {
  const isEncrypted =
    bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')) || OFFICE_NAMES.has(extname(filename).toLowerCase());
  if (isEncrypted) throw new ExtractionFailed('encrypted');
}

/** The text that these bytes are; undefined where they are none. */
function textOf(bytes: Buffer): string | undefined {
  const charset = charsetOf(bytes, false);
  if (charset.startsWith('utf-16')) {
    const text = new TextDecoder(charset).decode(bytes, { stream: true });
    return isMostlyText(text) ? text : undefined;
  }
  if (bytes.some(isControl)) return undefined;
  if (isUtf8(bytes)) return bytes.toString();
  const text = new TextDecoder(charset).decode(bytes, { stream: true });
  return isMostlyText(text) ? text : undefined;
}

/** Of a text nearly everything is letters, digits, punctuation or blank. */
function isMostlyText(text: string): boolean {
  const sample = text.slice(0, 16_384);
  // oxlint-disable-next-line no-control-regex
  const strange = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ud800-\udfff\ufffd-\uffff]|\p{Co}|\p{Cn}/gu);
  return (strange?.length ?? 0) <= sample.length / 100;
}

function textType(text: string, filename: string): DetectedType | undefined {
  if (HTML_BEGIN.test(text.replace(/^\ufeff/, ''))) return TEXT_TYPES['html'];
  const named = TEXT_NAMES[extname(filename).toLowerCase()] ?? 'text';
  // A name that promises markup needs some.
  return named === 'html' && !/<[a-z!]/i.test(text) ? TEXT_TYPES['text'] : TEXT_TYPES[named];
}
