import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { detectType } from '../../../src/platform/extraction/detect-type.js';
import { officeFile } from '../../support/builders/documents/hostile-documents.js';
import { presentation, wordDocument, workbook } from '../../support/builders/documents/office-documents.js';
import { report } from '../../support/builders/documents/pdf-documents.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

test('binary files are told by their content, whatever their names say', async () => {
  const files = [await report(1), await wordDocument(), await workbook(), await presentation(), PNG];

  const kinds = await Promise.all(files.map((bytes) => detectType(bytes, 'notes.txt').then((type) => type?.kind)));

  expect(kinds).toEqual(['pdf', 'docx', 'xlsx', 'pptx', 'image']);
});

test.each([
  ['# Title', 'a.md', 'markdown'],
  ['a,b\n1,2', 'A.CSV', 'csv'],
  ['<p>only a part', 'a.html', 'html'],
  ['no markup', 'a.html', 'text'],
  ['<!-- c --><!DOCTYPE html><p>', 'a.txt', 'html'],
  ['BMW builds cars', 'a', 'text'],
  ['plain', 'a.pdf', 'text'],
  ['', 'empty.md', 'markdown'],
])('%j named %s is %s', async (content, name, kind) => {
  expect(await detectType(Buffer.from(content), name)).toMatchObject({ kind });
});

test.each([
  ['a binary named as text', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 3]), 'program.txt'],
  ['a zip file of something else', Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'), 'files.docx'],
  ['rich text', Buffer.from('{\\rtf1\\ansi Hello}'), 'letter.txt'],
  ['PostScript', Buffer.from('%!PS-Adobe-3.0\nshowpage'), 'page.txt'],
  ['garbage behind a UTF-16 mark', Buffer.concat([Buffer.from([0xff, 0xfe]), randomBytes(8_000)]), 'a.txt'],
  ['bytes without letters', Buffer.from(Array.from({ length: 900 }, (_, index) => 0x80 + (index % 32))), 'a.txt'],
  ['an old office file', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'a.doc'],
])('%s is nothing that is read', async (_, bytes, name) => {
  expect(await detectType(bytes, name)).toBeUndefined();
});

test('an office file with a password says so', async () => {
  const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]);

  await expect(detectType(bytes, 'a')).rejects.toMatchObject({
    reason: 'encrypted',
    message: 'The file is protected by a password.',
  });
});

test('an office file with macros says so, whatever its name is', async () => {
  const bytes = await officeFile('docx', {}, { mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml' });

  await expect(detectType(bytes, 'letter.docx')).rejects.toMatchObject({
    reason: 'unsupported',
    message: 'The file contains macros, and is not read.',
  });
});

test.each(['<!---->', '<!--', '<?xml', ' ', '{\\rtf', '<', '\u0085'])(
  'a head that is built to take long takes time in proportion to its length: %j',
  async (text) => {
    const growth = await cpuGrowth(
      65_536,
      (count) => Buffer.from(text.repeat(count)),
      (head) => detectType(head, 'a.html'),
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  },
);
