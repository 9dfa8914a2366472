import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const MAIN_PARTS = {
  docx: ['word/document.xml', 'wordprocessingml.document'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet'],
} as const;

const MIB = 1024 * 1024;

/** A text, or the same text so many times. */
type Content = string | { readonly text: string; readonly times: number };

/** An office file whose parts are these; its content types are right unless `types` says others. */
export async function officeFile(
  kind: keyof typeof MAIN_PARTS,
  parts: Readonly<Record<string, Content>>,
  { types = '', mainType }: { readonly types?: string; readonly mainType?: string } = {},
): Promise<Buffer> {
  const [main, type] = MAIN_PARTS[kind];
  const zip = new ZipFile();
  const override = `<Override PartName="/${main}" ContentType="${mainType ?? `application/vnd.openxmlformats-officedocument.${type}.main+xml`}"/>`;
  const all: Record<string, Content> = { '[Content_Types].xml': `<Types>${override}${types}</Types>`, ...parts };
  for (const [name, content] of Object.entries(all)) {
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name);
    else zip.addReadStream(repeated(content), name);
  }
  zip.end();
  return buffer(zip.outputStream);
}

function repeated({ text, times }: { readonly text: string; readonly times: number }): Readable {
  const slice = text.repeat(Math.ceil(MIB / text.length));
  const slices = Math.ceil((text.length * times) / slice.length);
  return Readable.from(
    (function* () {
      for (let index = 0; index < slices; index += 1) yield Buffer.from(slice);
    })(),
  );
}

/** A Word document of one part. */
export function wordPart(content: Content): Promise<Buffer> {
  return officeFile('docx', { 'word/document.xml': content });
}

/** A workbook with one sheet. */
export function sheetPart(sheet: Content): Promise<Buffer> {
  return officeFile('xlsx', {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  });
}

/** A zip file that says it has 30,000 entries. */
export async function manyEntries(): Promise<Buffer> {
  const bytes = await wordPart('<document/>');
  bytes.writeUInt16LE(30_000, bytes.lastIndexOf(Buffer.from('504b0506', 'hex')) + 10);
  return bytes;
}

/** A zip file whose entries all begin at the same place: what is unpacked is one stretch again and again. */
export async function overlapping(): Promise<Buffer> {
  const bytes = await officeFile('docx', { 'word/document.xml': '<document/>', 'word/other.xml': '<document/>' });
  let at = bytes.indexOf(Buffer.from('504b0102', 'hex'));
  const first = bytes.readUInt32LE(at + 42);
  for (; at >= 0; at = bytes.indexOf(Buffer.from('504b0102', 'hex'), at + 4)) bytes.writeUInt32LE(first, at + 42);
  return bytes;
}

/** A PDF file of these objects, numbered from 1; the first is its catalog. */
export function rawPdf(...objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  );
}

/** Only the head of a PNG file, of an image of this size. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(head);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.set([8, 0, 0, 0, 0], 24);
  return Buffer.concat([head, Buffer.alloc(100_000)]);
}

/** UTF-16 of any values, halves of pairs among them. */
export function utf16Garbage(): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfe]), randomBytes(2 * MIB)]);
}
