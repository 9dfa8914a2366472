import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import writeXlsxFile from 'write-excel-file/node';
import { docx, pptx, xlsx } from '../../../src/translation/documents/office/office.js';
import { wordPart } from '../../support/builders/documents/hostile-documents.js';
import { presentation, wordDocument, workbook } from '../../support/builders/documents/office-documents.js';
import {
  richPresentation,
  richWordDocument,
  wordBody,
  workbookOf,
} from '../../support/builders/documents/rich-office-documents.js';
import {
  capitals,
  entriesOf,
  identity,
  reversed,
  rewrite,
  shown,
  unitsOf,
} from '../../support/builders/documents/rewritten.js';
import type { Translate } from '../../support/builders/documents/rewritten.js';
import { onPythonDocx, onPythonOpenpyxl } from '../../support/servers/services.js';

const FILES = [
  ['a Word document', docx, wordDocument],
  ['a Word document with fields, links and a picture', docx, richWordDocument],
  ['slides', pptx, presentation],
  ['slides with a chart and a picture', pptx, richPresentation],
  ['a workbook', xlsx, workbook],
] as const;

test.each(FILES)('%s that is translated into itself has the same bytes in every part', async (_name, format, make) => {
  const file = await make();

  const { bytes, units } = await rewrite(format, file, identity);

  expect(units.length).toBeGreaterThan(2);
  expect([...(await entriesOf(bytes))]).toEqual([...(await entriesOf(file))]);
});

test.each(FILES)('%s in other words is the same file but for its characters', async (_name, format, make) => {
  const file = await make();

  const { bytes, units, warnings } = await rewrite(format, file, capitals);

  const [before, after] = [await entriesOf(file), await entriesOf(bytes)];
  expect(warnings).toBe(0);
  expect(await unitsOf(format, bytes)).toEqual(units.map(capitals));
  for (const [name, content] of before) {
    if (after.get(name)?.equals(content)) continue;
    expect(String(after.get(name)).replaceAll(CHARACTERS, '$1')).toBe(String(content).replaceAll(CHARACTERS, '$1'));
  }
});

test('a hyphen of Word is missing where what it was read in was replaced, and nothing else may be', async () => {
  const runs = '<t>Ask ada</t><noBreakHyphen/><t>bob@example.com</t><br/><t>today</t>';
  const file = await wordPart(`<document><p><r>${runs}</r></p></document>`);
  const [ada, lineBreak] = [text('Frag ada-bob@example.com'), { kind: 'single', mark: 2 } as const];

  const replaced = await rewrite(docx, file, () => [ada, lineBreak, text('heute')]);
  const broken = await rewrite(docx, file, () => [ada, text(' heute')]);

  expect((await unitsOf(docx, replaced.bytes)).map(shown)).toEqual(['Frag ada-bob@example.com<1/>heute']);
  expect([replaced.warnings, broken.warnings]).toEqual([0, 1]);
});

const text = (characters: string) => ({ kind: 'text', text: characters }) as const;

test.each(FILES)('the units of %s are the same each time, and in their order', async (_name, format, make) => {
  const file = await make();

  const { units } = await rewrite(format, file, identity);

  expect(await unitsOf(format, file)).toEqual(units);
});

test('bold stays on its word, and links and notes stay where they are in the sentence', async () => {
  const { units } = await rewrite(docx, await richWordDocument(), identity);

  expect(units.map(shown)).toEqual(
    expect.arrayContaining([
      'A header',
      'The beginning',
      'Read the <1>whole</1> manual at <2>our site</2> before use<3/>.',
      'Made on <1/> by hand',
      'A picture <1/> in the line',
      'In a cell',
      'The note says more.',
    ]),
  );
  expect(units.map(shown).join()).not.toContain('42 %');
});

test('words that change places take their format, their link and their picture along', async () => {
  const { bytes, warnings } = await rewrite(docx, await richWordDocument(), reversed);

  const document = await part(bytes, 'word/document.xml');
  expect(warnings).toBe(0);
  expect(document).toMatch(/<w:b\/>(?:(?!<\/w:r>).)*<w:t[^>]*>whole<\/w:t>/);
  expect(document).toMatch(
    /<w:hyperlink [^>]*r:id="[^"]+"[^>]*>(?:(?!<\/w:hyperlink>).)*our site(?:(?!<\/w:hyperlink>).)*<\/w:hyperlink>/,
  );
  expect(document.match(/<w:drawing>/g)).toHaveLength(1);
  expect(document.match(/<w:footnoteReference /g)).toHaveLength(1);
  expect((await unitsOf(docx, bytes)).map(shown)).toContain(
    '.<1/> before use<2>our site</2> manual at <3>whole</3>Read the',
  );
});

test('runs that look the same are one text, and their tags stay', async () => {
  const body =
    '<w:p><w:r w:rsidR="1"><w:t xml:space="preserve">One </w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:rPr><w:lang w:val="de"/></w:rPr><w:t>sentence</w:t></w:r></w:p>';
  const { units } = await rewrite(docx, await wordBody(body), identity);

  expect(units.map(shown)).toEqual(['One sentence']);
  expect(await rewrittenBody(body, () => [{ kind: 'text', text: 'Ein <Satz> & mehr ' }])).toBe(
    '<w:p><w:r w:rsidR="1"><w:t xml:space="preserve"></w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:rPr><w:lang w:val="de"/></w:rPr><w:t xml:space="preserve">Ein &lt;Satz&gt; &amp; mehr </w:t></w:r></w:p>',
  );
});

const field = (code: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

test('a field is one mark with its code and result, and what a link shows is translated', async () => {
  const body = `<w:p>${run('See ')}${field(' PAGEREF x ', run('seven'))}${run(' and ')}${field(' HYPERLINK "https://x" ', run('this'))}${run(' now')}</w:p>`;

  const { units, bytes, warnings } = await rewrite(docx, await wordBody(body), reversed);

  expect(units.map(shown)).toEqual(['See <1/> and <2>this</2> now']);
  expect(warnings).toBe(0);
  const document = await part(bytes, 'word/document.xml');
  expect(document).toContain(
    `<w:body><w:p><w:r></w:r>${run(' now').replace('<w:t>', '<w:t xml:space="preserve">')}${field(' HYPERLINK "https://x" ', run('this'))}`,
  );
  expect(document).toContain(field(' PAGEREF x ', run('seven')));
});

test('a field that goes over several paragraphs parts the texts, and nothing moves over it', async () => {
  const begin = field(' TOC ', '').split('<w:r><w:fldChar w:fldCharType="end"/>')[0];
  const body = `<w:p>${run('before')}${begin}${run('first entry')}</w:p><w:p>${run('last entry')}<w:r><w:fldChar w:fldCharType="end"/></w:r>${run('behind')}</w:p>`;

  const { units, bytes } = await rewrite(docx, await wordBody(body), capitals);

  expect(units.map(shown)).toEqual(['before', 'first entry', 'last entry', 'behind']);
  expect(await part(bytes, 'word/document.xml')).toContain(
    body.replaceAll(/(?<=<w:t>)[^<]*/g, (text) => text.toUpperCase()),
  );
});

test('what is deleted, hidden in code, or a formula stays, and a text box is a text of its own', async () => {
  const kept = '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><m:oMath><m:r><m:t>E = mc</m:t></m:r></m:oMath>';
  const box = `<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent><w:p>${run('in the box')}</w:p></w:txbxContent></w:drawing></mc:Choice></mc:AlternateContent></w:r>`;

  const { units, bytes } = await rewrite(
    docx,
    await wordBody(`<w:p>${run('around')}${kept}${box}${run('it')}</w:p>`),
    capitals,
  );

  expect(units.map(shown)).toEqual(['in the box', 'around<1/><2/>it']);
  expect(await part(bytes, 'word/document.xml')).toContain(
    `<w:p>${run('AROUND')}${kept}${box.replace('in the box', 'IN THE BOX')}${run('IT')}</w:p>`,
  );
});

test('a link that would lie in another one is not written, and said', async () => {
  const link = (text: string) => `<w:hyperlink>${run(text)}</w:hyperlink>`;
  const body = `<w:p>${run('a ')}${link('one')}${run(' b ')}${link('two')}</w:p>`;
  const nested: Translate = () => [
    { kind: 'open', mark: 1 },
    { kind: 'open', mark: 2 },
    { kind: 'text', text: 'x' },
    { kind: 'close', mark: 2 },
    { kind: 'close', mark: 1 },
  ];
  const file = await wordBody(body);

  const { bytes, warnings } = await rewrite(docx, file, nested);

  expect(warnings).toBe(1);
  expect(await part(bytes, 'word/document.xml')).toBe(await part(file, 'word/document.xml'));
});

test('formulas, numbers and names of columns stay; strings in cells, rich or not, are translated', async () => {
  const strings =
    '<si><t>Plain &amp; simple</t></si><si><r><t xml:space="preserve">Rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>furigana</t></rPh></si><si><t>Column</t></si><si><t>12.50</t></si><si><t>one&#10;two</t></si><si><t xml:space="preserve">Name </t></si><si><t>Two&#10;lines</t></si>';
  const rows =
    '<row><c t="str"><f>"a"&amp;B1</f><v>ab</v></c><c t="inlineStr"><is><t>Inline</t></is></c><c t="s"><v>0</v></c></row>';
  const file = await workbookOf(strings, rows, {
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships><Relationship Id="r1" Type="x/table" Target="../tables/table1.xml"/></Relationships>',
    'xl/tables/table1.xml':
      '<table ref="A1:A2"><tableColumns><tableColumn id="1" name="Column"/><tableColumn id="2" name="Name "/><tableColumn id="3" name="Two&#10;lines"/></tableColumns></table>',
  });

  const { bytes, units } = await rewrite(xlsx, file, capitals);

  expect(units.map(shown)).toEqual(['Plain & simple', 'Rich <1>text</1>', 'one<1/>two', 'Inline']);
  expect(await part(bytes, 'xl/sharedStrings.xml')).toBe(
    `<sst>${strings.replace('Plain &amp; simple', 'PLAIN &amp; SIMPLE').replace('Rich', 'RICH').replace('>text', '>TEXT').replace('one&#10;two', 'ONE&#10;TWO')}</sst>`,
  );
  expect(await part(bytes, 'xl/worksheets/sheet1.xml')).toContain(rows.replace('Inline', 'INLINE'));
});

test('comments, references, sections and UTF-16 in a part are what they were', async () => {
  const body = `<w:p><!-- a > comment --><w:r><w:t>a<![CDATA[ <b> ]]>c &#x41;&lt;</w:t></w:r></w:p><!--x--><?y z?>`;
  const file = await wordBody(body);

  const { bytes, units } = await rewrite(docx, file, identity);

  expect(units.map(shown)).toEqual(['a <b> c A<']);
  expect((await entriesOf(bytes)).get('word/document.xml')).toEqual((await entriesOf(file)).get('word/document.xml'));
});

/** What a Python program prints of a file. */
function python(program: string, bytes: Buffer, extension: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'office-'));
  try {
    const path = join(folder, `file.${extension}`);
    writeFileSync(path, bytes);
    return execFileSync('/usr/bin/python3', ['-c', program, path], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

onPythonDocx.it('python-docx opens the document with its notes, pictures and bold words', async () => {
  const { bytes } = await rewrite(docx, await richWordDocument(), reversed);

  const program =
    'import sys, docx\nd = docx.Document(sys.argv[1])\nprint(len(d.inline_shapes), len(d.tables))\nprint([r.text for p in d.paragraphs for r in p.runs if r.bold])\nprint(d.sections[0].header.paragraphs[0].text)';
  expect(python(program, bytes, 'docx')).toBe("1 1\n['whole']\nA header\n");
});

onPythonOpenpyxl.it('openpyxl opens the workbook with its formulas', async () => {
  const file = await writeXlsxFile([[{ value: 'Total' }, { value: '1+2', type: 'Formula' }]]).toBuffer();
  const { bytes } = await rewrite(xlsx, file, capitals);

  const program =
    'import sys, openpyxl\ns = openpyxl.load_workbook(sys.argv[1]).active\nprint(s["A1"].value, s["B1"].value)';
  expect(python(program, bytes, 'xlsx')).toBe('TOTAL =1+2\n');
});

const CHARACTERS = /(<(?:w:|a:)?t(?:\s[^>]*)?>)[^<]*|\sxml:space="preserve"/g;

async function part(bytes: Buffer, name: string): Promise<string> {
  return String((await entriesOf(bytes)).get(name));
}

async function rewrittenBody(body: string, translate: Translate): Promise<string> {
  const { bytes } = await rewrite(docx, await wordBody(body), translate);
  return /<w:body>([^]*)<\/w:body>/.exec(await part(bytes, 'word/document.xml'))?.[1] ?? '';
}
