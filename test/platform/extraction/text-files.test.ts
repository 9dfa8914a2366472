import { expect, test } from '@jest/globals';
import { prose } from '../../support/builders/documents/pdf-documents.js';
import { encoded } from '../../support/builders/encoded.js';
import { blocksOf, openExtractor, pagesOf } from '../../support/builders/extraction.js';

test('a web page gives what a reader sees of it', async () => {
  using extractor = await openExtractor();
  const html = `<!doctype html><html><head><title>Tides &amp; keepers</title><style>p{color:red}</style></head><body>
    <h1>The <em>North</em> station</h1><script>document.write('no')</script>
    <p>First
      line.</p><p hidden>Not shown.</p><div style="display: none">Nor this.</div>
    <ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>
    <table><tr><th>Station<th>Height<tr><td>South<td>3.87&nbsp;m</table>
    <pre>kept  as
  it is</pre><blockquote><p>Said by <q>others</q>.</p><p>And more.</p><table><tr><td>A<td>B</table></blockquote>
    <table><tr><td><blockquote>In a cell.</blockquote><td>C</table>The end.`;

  const [page] = await pagesOf(extractor, Buffer.from(html), 'page');

  expect(page).toMatchObject({ title: 'Tides & keepers', origin: 'text' });
  expect(blocksOf(page!)).toEqual([
    'heading1 The North station',
    'paragraph First line.',
    'list_item1 One',
    'list_item2 Inner',
    'list_item1 Two',
    'table Station | Height\nSouth | 3.87 m',
    'code kept  as\n  it is',
    'paragraph > Said by “others”.',
    'paragraph > And more.',
    'table > A | B',
    'table “ In a cell.” | C',
    'paragraph The end.',
  ]);
});

test('a quotation of a web page is marked in each of its parts, however long it is', async () => {
  using extractor = await openExtractor();
  const html = `<!doctype html><html><body><blockquote>${'They said it again. '.repeat(10_000)}</blockquote>The end.</body></html>`;

  const pages = await pagesOf(extractor, Buffer.from(html), 'page');

  const blocks = pages.flatMap((page) => blocksOf(page));
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.pop()).toBe('paragraph The end.');
  expect(new Set(blocks.map((block) => block.slice(0, 12)))).toEqual(new Set(['paragraph > ']));
});

test('Markdown stays as it is written, and its blocks are told', async () => {
  using extractor = await openExtractor();
  const markdown = [
    '---\ntitle: Tides\n---',
    '# Tides',
    'They come *twice*\na day.',
    '1. High\n   - higher\n2. Low',
    '| Station | Height |\n|---|---|\n| South | 3.87 m |',
    '```\n# no heading\n\nstill code\n```',
  ].join('\n\n');

  const [page] = await pagesOf(extractor, Buffer.from(markdown), 'tides.md');

  expect(page!.text).toBe(markdown);
  expect(blocksOf(page!)).toEqual([
    'code ---\ntitle: Tides\n---',
    'heading1 # Tides',
    'paragraph They come *twice*\na day.',
    'list_item1 High',
    'list_item2 higher',
    'list_item1 Low',
    'table | Station | Height |\n|---|---|\n| South | 3.87 m |',
    'code ```\n# no heading\n\nstill code\n```',
  ]);
});

test('values separated by semicolons are a table', async () => {
  using extractor = await openExtractor();

  const [page] = await pagesOf(extractor, Buffer.from('Station;Height\n"South; old";"3,87\nm"\n'), 'tides.csv');

  expect(blocksOf(page!)).toEqual(['table Station | Height\nSouth; old | 3,87 m']);
});

test.each([
  ['UTF-8', Buffer.from('Höhe: 4 m\n\nNächste', 'utf8')],
  ['UTF-8 with a mark', Buffer.from('\ufeffHöhe: 4 m\n\nNächste', 'utf8')],
  ['UTF-16', Buffer.from('\ufeffHöhe: 4 m\n\nNächste', 'utf16le')],
  ['Windows-1252', Buffer.from('Höhe: 4 m\n\nNächste', 'latin1')],
])('a plain text in %s has its paragraphs', async (_, bytes) => {
  using extractor = await openExtractor();

  const [page] = await pagesOf(extractor, bytes, 'note.txt');

  expect(blocksOf(page!)).toEqual(['paragraph Höhe: 4 m', 'paragraph Nächste']);
});

const FRENCH = 'Le quai nord mesure cent vingt mètres. L’été à Paris et le café crème.';
const RUSSIAN = 'Северный причал имеет длину 120 метров. Смотритель маяка — Иван Петров.';
const CHINESE = '北码头长一百二十米，灯塔由李明看守。会议室每人最多可预订两小时。';
const JAPANESE = '北の桟橋は百二十メートルです。灯台は田中さんが守っています。';

const ENCODED = [
  ['gb18030', CHINESE],
  ['big5', '北碼頭長一百二十公尺，燈塔由李明看守。'],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['euc-kr', '북쪽 부두의 길이는 120미터입니다. 등대는 김민수가 지킵니다.'],
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN.replace('—', '-')],
  ['ibm866', RUSSIAN.replace('—', '-')],
  ['macintosh', FRENCH],
  ['windows-1252', FRENCH],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy. Poplatek činí 31 eur.'],
  ['iso-8859-2', 'Az északi móló hossza százhúsz méter, őre Nagy Győző.'],
  ['windows-1254', 'Kuzey iskelesi 120 metre uzunluğundadır. Şu ışık değişti.'],
  ['windows-1256', 'طول الرصيف الشمالي 120 مترا. حارس المنارة هو أحمد.'],
  ['iso-8859-7', 'Η βόρεια προβλήτα έχει μήκος 120 μέτρα.'],
  ['iso-8859-8', 'המזח הצפוני אורכו 120 מטר. שומר המגדלור הוא דוד.'],
] as const;

test('a text that does not say its charset is read in that which it seems to be in, and this is told', async () => {
  using extractor = await openExtractor();
  const found: unknown[] = [];

  for (const [charset, text] of ENCODED) {
    const [page] = await pagesOf(extractor, encoded(text, charset), 'note.txt');
    found.push([page?.assumedCharset, page?.text]);
  }

  expect(found).toEqual(ENCODED);
});

test.each(['note.md', 'note.csv', 'note.html'])('so is %s', async (name) => {
  using extractor = await openExtractor();
  const bytes = Buffer.concat([Buffer.from(name.endsWith('html') ? '<p>' : ''), encoded(RUSSIAN, 'windows-1251')]);

  const [page] = await pagesOf(extractor, bytes, name);

  expect([page?.text.trim(), page?.assumedCharset]).toEqual([RUSSIAN, 'windows-1251']);
});

test.each([
  ['UTF-8', Buffer.from(RUSSIAN)],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${RUSSIAN}`, 'utf16le')],
  ['ISO 2022', Buffer.from('\u001b$B%F%9%H\u001b(B', 'latin1')],
])('of a text in %s nothing is assumed', async (_, bytes) => {
  using extractor = await openExtractor();

  const [page] = await pagesOf(extractor, bytes, 'note.txt');

  expect([RUSSIAN, 'テスト']).toContain(page?.text);
  expect(page?.assumedCharset).toBeUndefined();
});

test('a text in UTF-8 with a damaged byte stays one', async () => {
  using extractor = await openExtractor();
  const bytes = Buffer.concat([Buffer.from(RUSSIAN), Buffer.from([0xff]), Buffer.from(RUSSIAN)]);

  const [page] = await pagesOf(extractor, bytes, 'note.txt');

  expect(page).toMatchObject({ text: `${RUSSIAN}\ufffd${RUSSIAN}`, assumedCharset: 'utf-8' });
});

test.each([
  ['', '<meta charset="shift_jis">'],
  [' behind much else', `<style>${' '.repeat(5_000)}</style><meta charset="shift_jis">`],
  [' in its XML declaration', '', '<?xml version="1.0" encoding="shift_jis"?>'],
])('a web page is read in the charset that it declares%s', async (_, meta, declaration = '') => {
  using extractor = await openExtractor();
  const bytes = Buffer.concat([
    Buffer.from(`${declaration}<!doctype html>${meta}<p>`),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
  ]);

  const [page] = await pagesOf(extractor, bytes, 'page.html');

  expect(blocksOf(page!)).toEqual(['paragraph 日本']);
});

test.each(['long.txt', 'long.md'])('the pieces of %s joined are the text', async (name) => {
  using extractor = await openExtractor();
  const text = Array.from({ length: 3_000 }, (_, index) => `Paragraph ${index}. ${prose(3)}`).join('\n\n');

  const pages = await pagesOf(extractor, Buffer.from(text), name);

  expect(pages.length).toBeGreaterThan(5);
  expect(pages.map((page) => page.text).join('')).toBe(text);
  expect(pages.flatMap(blocksOf)).toHaveLength(3_000);
});

test('control characters and halves of pairs are not told, and places stay', async () => {
  using extractor = await openExtractor();
  const bytes = Buffer.from(
    '\ufeffA\0B\u001bC\ud800D, and a long tail of common letters behind it all. '.repeat(4),
    'utf16le',
  );

  const [page] = await pagesOf(extractor, bytes, 'odd.txt', { kind: 'text' });

  expect(page!.text.slice(0, 8)).toBe('A B C\ufffdD,');
});
