import { deflateSync } from 'node:zlib';
import type { FailureReason, FileKind } from '../../../../src/platform/extraction/extraction.types.js';
import {
  manyEntries,
  officeFile,
  overlapping,
  rawPdf,
  sheetPart,
  utf16Garbage,
  wordPart,
} from './hostile-documents.js';
import { wordDocument } from './office-documents.js';
import { pdf } from './pdf-documents.js';

const MIB = 1024 * 1024;
const P = '<p><r><t>';

const deep = (open: string, depth: number) => Buffer.from(open.repeat(depth));
const entities = `<!DOCTYPE x [<!ENTITY a "ha">${'b'.repeat(9)}]>`;
const pageTree = (kids: string, count: number) =>
  rawPdf(
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
  );
const huge = deflateSync(Buffer.from(`/F 9 Tf ${'1 0 0 1 9 9 Tm (tide) Tj '.repeat(2_000_000)}`)).toString('latin1');

/** Files that nobody can read, and why. */
export const HOSTILE_FILES: readonly [
  name: string,
  kind: FileKind,
  make: () => Buffer | Promise<Buffer>,
  reason: FailureReason,
][] = [
  ['a document that unpacks to 120 MB', 'docx', () => wordPart({ text: ' ', times: 120 * MIB }), 'bomb'],
  ['a zip file of 30,000 entries', 'docx', () => manyEntries(), 'bomb'],
  ['a zip file whose entries share bytes', 'docx', overlapping, 'bomb'],
  ['a document type with entities', 'docx', () => wordPart(`${entities}<document>&a;</document>`), 'bomb'],
  ['an entity that nobody defines', 'docx', () => wordPart('<document>&a;</document>'), 'malformed'],
  ['elements 100,000 deep', 'docx', () => wordPart(`<document>${'<p>'.repeat(100_000)}`), 'bomb'],
  ['a paragraph of 100 MB', 'docx', () => wordPart({ text: `${P}${'tide '.repeat(100_000)}`, times: 1 }), 'malformed'],
  ['a document that is cut off', 'docx', async () => (await wordDocument()).subarray(0, -300), 'malformed'],
  [
    'a document with macros',
    'docx',
    () =>
      officeFile('docx', {}, { types: '<Override PartName="/v" ContentType="application/vnd.ms-office.vbaProject"/>' }),
    'unsupported',
  ],
  ['a workbook that says it is a document', 'docx', () => sheetPart('<worksheet/>'), 'unsupported'],
  [
    'an OLE file',
    'docx',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(MIB)]),
    'encrypted',
  ],
  ['nothing at all', 'docx', () => Buffer.alloc(0), 'malformed'],
  [
    'a sheet with a cell at its far end',
    'xlsx',
    () => sheetPart('<worksheet><row><c r="XFD1"><v>1</v></c></row></worksheet>'),
    'too_large',
  ],
  ['a PDF file that says it has a million pages', 'pdf', () => pageTree('', 1_000_000), 'empty'],
  ['a PDF file of 20,000 pages', 'pdf', () => pageTree('3 0 R '.repeat(20_000), 20_000), 'too_large'],
  ['a PDF file whose pages contain themselves', 'pdf', () => pageTree('2 0 R', 1), 'malformed'],
  [
    'a PDF file with a password',
    'pdf',
    () => pdf((file) => void file.addPage().text('x'), { userPassword: 'p' }),
    'encrypted',
  ],
  ['half a PDF file', 'pdf', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<'), 'malformed'],
  [
    'a PDF page of 50 MB',
    'pdf',
    () =>
      rawPdf(
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
        `<< /Length ${huge.length} /Filter /FlateDecode >>\nstream\n${huge}\nendstream`,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ),
    'too_large',
  ],
  ['elements of a web page 100,000 deep', 'html', () => deep('<div>', 100_000), 'bomb'],
  ['a comment of 20 MB', 'html', () => Buffer.from(`<p><!--${'-'.repeat(20 * MIB)}`), 'empty'],
  ['a row of 30 MB', 'csv', () => Buffer.alloc(30 * MIB, 'a'), 'too_large'],
  ['a quote that never ends', 'csv', () => Buffer.from(`a,"${'b\n'.repeat(MIB)}`), 'too_large'],
  ['a text of 100 MB', 'text', () => Buffer.alloc(100 * MIB, 'a b\n'), 'too_large'],
  ['nothing but blanks', 'text', () => Buffer.alloc(MIB, ' \n'), 'empty'],
];

/** Texts that can be read, but may take long. */
export const LONG_TEXTS: readonly [name: string, kind: FileKind, make: () => Buffer][] = [
  ['UTF-16 garbage', 'text', utf16Garbage],
  ['200,000 paragraphs', 'html', () => Buffer.from('<p>Tide'.repeat(200_000))],
  ['Markdown of nothing but marks', 'markdown', () => Buffer.from('> - * [![`_'.repeat(50_000))],
  ['Markdown with quotes 50,000 deep', 'markdown', () => Buffer.from(`${'>'.repeat(50_000)} a\n`.repeat(10))],
  [
    'Markdown of deep lists',
    'markdown',
    () => Buffer.from(Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')),
  ],
  ['a text without a line break', 'text', () => Buffer.alloc(10 * MIB, 'a')],
];
