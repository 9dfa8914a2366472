import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { OfficePackage } from '../../../platform/extraction/office/office-package.js';
import type { DocumentEdit, DocumentFormat } from '../formats/document-format.js';
import { readOfficeParts } from './office-parts.js';
import type { OfficeParts } from './office-parts.js';
import { rewriteXml } from './rewrite-xml.js';
import { writeZip } from './write-zip.js';

const INLINE_STRING = Buffer.from('inlineStr');
const WIDE_MARKS = new Set([0xfe, 0xff]);

/** The first element of the main part; comments and declarations begin otherwise. */
const ROOT = /<(?:[\w.-]{1,100}:)?([A-Za-z]{1,100})[\s/>]/;
const ROOTS = { docx: 'document', pptx: 'presentation', xlsx: 'workbook' } as const;
const HEAD_BYTES = 4_096;

/** Word documents; as in all office files, what is no text is byte for byte what it was. */
export const docx: DocumentFormat = (file, edit) => rewriteOffice(file, edit, 'docx');
/** PowerPoint presentations: slides, their notes and comments. */
export const pptx: DocumentFormat = (file, edit) => rewriteOffice(file, edit, 'pptx');
/** Excel workbooks: strings in cells, comments and drawings. */
export const xlsx: DocumentFormat = (file, edit) => rewriteOffice(file, edit, 'xlsx');

async function* rewriteOffice(
  file: Buffer,
  edit: DocumentEdit,
  kind: 'docx' | 'pptx' | 'xlsx',
): AsyncGenerator<Uint8Array, void, undefined> {
  // What is read twice is counted once.
  const [office, copied] = [await OfficePackage.open(file, kind), await OfficePackage.open(file, kind)];
  if (office.entries.some(({ name }) => /(?:^|\/)vbaProject\.bin$/i.test(name)))
    throw new ExtractionFailed('unsupported');
  if (!(await isMainOf(office, kind))) throw new ExtractionFailed('malformed');
  const parts = await readOfficeParts(office, kind);
  const bytesOf = async (name: string): Promise<AsyncIterable<Uint8Array>> => {
    const dialect = parts.dialects.get(name);
    const isText = dialect && (await mayHaveText(office, parts, name));
    return isText ? rewriteXml(copied.bytes(name), { dialect, edit, fixed: parts.fixed }) : copied.bytes(name);
  };
  if (edit.isWriting) yield* writeZip(office.entries, bytesOf);
  else {
    for (const { name } of office.entries) {
      if (!parts.dialects.has(name)) continue;
      for await (const _ of await bytesOf(name));
    }
  }
}

/** Whether the main part is what its type says: a workbook that is said to be a document has no text of one. */
async function isMainOf(office: OfficePackage, kind: keyof typeof ROOTS): Promise<boolean> {
  let head: Uint8Array = Buffer.alloc(0);
  for await (const chunk of office.bytes(office.main)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD_BYTES) break;
  }
  if (WIDE_MARKS.has(head[0] ?? 0)) return true;
  const [, name] = ROOT.exec(Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1')) ?? [];
  return name === undefined || name === ROOTS[kind];
}

/** The texts of cells are in a part of their own, and few sheets hold any themselves. */
async function mayHaveText(office: OfficePackage, { sheets }: OfficeParts, name: string): Promise<boolean> {
  if (!sheets.has(name)) return true;
  let tail: Uint8Array = Buffer.alloc(0);
  for await (const chunk of office.bytes(name)) {
    const bytes = Buffer.concat([tail, chunk]);
    if (bytes.includes(INLINE_STRING) || WIDE_MARKS.has(bytes[0] ?? 0)) return true;
    tail = bytes.subarray(-INLINE_STRING.length);
  }
  return false;
}
