import { describe, expect, test } from '@jest/globals';
import pptx from 'pptxgenjs';
import { sheetPart } from '../../support/builders/documents/hostile-documents.js';
import { wordBody } from '../../support/builders/documents/rich-office-documents.js';
import { blocksOf, openExtractor, pagesOf } from '../../support/builders/extraction.js';

const FEES = [
  'Plan | 2024 Net | 2024 Gross | 2025 Net | 2025 Gross | 2026',
  'Basic | Not offered before 2026 | Not offered before 2026 | Not offered before 2026 | Not offered before 2026 | 99',
  'Team | 10 | 12 | 11 | 13 | 14',
  'Team | 20 | 24 | 22 | 26 | 28',
];

describe('the value of a cell stands below the name of its column', () => {
  test('in HTML', async () => {
    const html = `<table><caption>Fees</caption><thead><tr><th rowspan="2">Plan<th colspan="2">2024<th colspan="2">2025<th rowspan="2">2026
      <tr><th>Net<th>Gross<th>Net<th>Gross</thead>
      <tr><td>Basic<td colspan="4">Not offered before 2026<td>99
      <tr><td rowspan="0">Team<td>10<td>12<td>11<td>13<td>14<tr><td>20<td>24<td>22<td>26<td>28</table>`;

    expect(await blocksIn(Buffer.from(html), 'fees.html')).toEqual(['paragraph Fees', `table ${FEES.join('\n')}`]);
  });

  test('in DOCX', async () => {
    const table = wordTable(
      [cell('Plan', merge('restart')), cell('2024', span(2)), cell('2025', span(2)), cell('2026', merge('restart'))],
      [cell('', merge()), ...['Net', 'Gross', 'Net', 'Gross'].map((text) => cell(text)), cell('', merge())],
      [cell('Basic'), cell('Not offered before 2026', span(4)), cell('99')],
      [cell('Team', merge('restart')), ...['10', '12', '11', '13', '14'].map((text) => cell(text))],
      [cell('', merge()), ...['20', '24', '22', '26', '28'].map((text) => cell(text))],
    );

    expect(await blocksIn(await wordBody(table), 'fees.docx')).toEqual([`table ${FEES.join('\n')}`]);
  });

  test('in PPTX', async () => {
    const show = new (pptx as unknown as typeof pptx.default)();
    const text = (value: string, options = {}) => ({ text: value, options });
    show
      .addSlide()
      .addTable(
        [
          [
            text('Plan', { rowspan: 2 }),
            text('2024', { colspan: 2 }),
            text('2025', { colspan: 2 }),
            text('2026', { rowspan: 2 }),
          ],
          ['Net', 'Gross', 'Net', 'Gross'].map((value) => text(value)),
          [text('Basic'), text('Not offered before 2026', { colspan: 4 }), text('99')],
          [text('Team', { rowspan: 2 }), ...['10', '12', '11', '13', '14'].map((value) => text(value))],
          ['20', '24', '22', '26', '28'].map((value) => text(value)),
        ],
        { x: 1, y: 1, w: 8 },
      );

    expect(await blocksIn((await show.write({ outputType: 'nodebuffer' })) as Buffer, 'fees.pptx')).toEqual([
      `table ${FEES.join('\n')}`,
    ]);
  });

  test('in XLSX, also where rows and cells are left out', async () => {
    const rows = [
      row(1, { A: 'Fees' }),
      row(3, { A: 'Plan', B: '2024', D: '2025', F: '2026' }),
      row(4, { B: 'Net', C: 'Gross', D: 'Net', E: 'Gross' }),
      row(5, { A: 'Basic', B: 'Not offered before 2026', F: '99' }),
      row(6, { A: 'Team', B: '10', C: '12', D: '11', E: '13', F: '14' }),
      row(7, { B: '20', C: '24', D: '22', E: '26', F: '28' }),
    ];
    const merged = ['A1:F1', 'A3:A4', 'B3:C3', 'D3:E3', 'F3:F4', 'B5:E5', 'A6:A7'].map(
      (ref) => `<mergeCell ref="${ref}"/>`,
    );
    const sheet = `<worksheet><sheetData>${rows.join('')}</sheetData><mergeCells>${merged.join('')}</mergeCells></worksheet>`;

    expect(await blocksIn(await sheetPart(sheet), 'fees.xlsx')).toEqual(['paragraph Fees', `table ${FEES.join('\n')}`]);
  });

  test('in CSV, below the lines that stand above the table', async () => {
    const csv = 'Fees,,\nAs of May,,\nPlan,2025,2026\nBasic,,99\n';

    expect(await blocksIn(Buffer.from(csv), 'fees.csv')).toEqual([
      'paragraph Fees',
      'paragraph As of May',
      'table Plan | 2025 | 2026\nBasic |  | 99',
    ]);
  });
});

test('a row that begins in a later column has its values there', async () => {
  const before = '<w:trPr><w:gridBefore w:val="2"/></w:trPr>';
  const table = wordTable(
    ['Plan', '2024', '2025', '2026'].map((text) => cell(text)),
    [before, cell('7'), cell('8')],
  );

  expect(await blocksIn(await wordBody(table), 'fees.docx')).toEqual(['table Plan | 2024 | 2025 | 2026\n |  | 7 | 8']);
});

test.each(['<w:del w:id="1"/>', '<w:hidden/>'])(
  'a row that is gone from a Word document is not read: %s',
  async (mark) => {
    const table = wordTable(
      [cell('Plan'), cell('Fee')],
      [`<w:trPr>${mark}</w:trPr>`, cell('Old'), cell('1')],
      [`<w:trPr><w:trPrChange><w:trPr>${mark}</w:trPr></w:trPrChange></w:trPr>`, cell('New'), cell('2')],
    );

    expect(await blocksIn(await wordBody(table), 'fees.docx')).toEqual(['table Plan | Fee\nNew | 2']);
  },
);

describe('a table within a table is one of its own, behind its row', () => {
  const blocks = [
    'table Plan | Details\nBasic | See:',
    'table Year | Fee\n2025 | 98\n2026 | 99',
    'table Plan | Details\nTeam | None',
  ];

  test('in HTML', async () => {
    const html = `<table><tr><th>Plan<th>Details<tr><td>Basic<td>See:<table><tr><th>Year<th>Fee<tr><td>2025<td>98<tr><td>2026<td>99</table>
      <tr><td>Team<td>None</table>`;

    expect(await blocksIn(Buffer.from(html), 'nested.html')).toEqual(blocks);
  });

  test('in DOCX', async () => {
    const inner = wordTable([cell('Year'), cell('Fee')], [cell('2025'), cell('98')], [cell('2026'), cell('99')]);
    const table = wordTable(
      [cell('Plan'), cell('Details')],
      [cell('Basic'), cell('See:', '', inner)],
      [cell('Team'), cell('None')],
    );

    expect(await blocksIn(await wordBody(table), 'nested.docx')).toEqual(blocks);
  });
});

test.each([
  [
    'first names are values already',
    [
      ['North', '1'],
      ['South', '2'],
    ],
    'North | 1\nSouth | 2',
  ],
  [
    'a name spans columns that are not divided',
    [
      ['Plan', { columns: 2, text: 'Fee' }],
      ['Basic', '1', '2'],
    ],
    'Plan | Fee | Fee\nBasic | 1 | 2',
  ],
  ['rows are single texts', [['One'], ['Two'], ['Three']], 'One\nTwo\nThree'],
  [
    'a row spans the table',
    [['Plan', '2025', '2026'], [{ columns: 3, text: 'For teams' }], ['Team', '1', '2']],
    'Plan | 2025 | 2026\nFor teams\nTeam | 1 | 2',
  ],
])('its lines stay where %s', async (_, rows, text) => {
  const cells = rows.map((row) =>
    row.map((value) => (typeof value === 'string' ? cell(value) : cell(value.text, span(value.columns)))),
  );

  expect(await blocksIn(await wordBody(wordTable(...cells)), 'table.docx')).toEqual([`table ${text}`]);
});

test.each([
  `<table>${'<tr><td rowspan="65534" colspan="1000">x<td>y'.repeat(2_000)}</table>`,
  `<table><tr><td colspan="99999999999">x<td rowspan="-1">y<td colspan="x">z</table>`,
  `<table><tr>${'<td rowspan="9999"><table><tr><td>x'.repeat(100)}`,
])('spans without end are read in little time', async (html) => {
  expect((await blocksIn(Buffer.from(html), 'spans.html')).length).toBeGreaterThan(0);
});

test('what stands above and below the pages of a Word document is read once', async () => {
  const part = (tag: string, text: string) => `<w:${tag}><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:${tag}>`;
  const names = ['header', 'footer'].flatMap((kind) => [1, 2].map((number) => `${kind}${number}`));
  const relationships = names.map(
    (name) => `<Relationship Id="${name}" Type="x/${name.slice(0, 6)}" Target="${name}.xml"/>`,
  );
  const parts = Object.fromEntries(
    names.map((name) => [`word/${name}.xml`, part(name.startsWith('h') ? 'hdr' : 'ftr', `The ${name.slice(0, 6)}`)]),
  );
  parts['word/_rels/document.xml.rels'] = `<Relationships>${relationships.join('')}</Relationships>`;

  expect(await blocksIn(await wordBody('<w:p><w:r><w:t>The text</w:t></w:r></w:p>', parts), 'pages.docx')).toEqual([
    'paragraph The header',
    'paragraph The text',
    'paragraph The footer',
  ]);
});

async function blocksIn(bytes: Buffer, name: string): Promise<string[]> {
  using extractor = await openExtractor();
  return (await pagesOf(extractor, bytes, name)).flatMap(blocksOf);
}

function wordTable(...rows: readonly (readonly string[])[]): string {
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl>`;
}

function cell(text: string, properties = '', inner = ''): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p>${inner}<w:p/></w:tc>`;
}

function span(columns: number): string {
  return `<w:gridSpan w:val="${columns}"/>`;
}

function merge(value?: string): string {
  return value === undefined ? '<w:vMerge/>' : `<w:vMerge w:val="${value}"/>`;
}

function row(number: number, cells: Readonly<Record<string, string>>): string {
  const written = Object.entries(cells).map(([column, text]) => `<c r="${column}${number}" t="str"><v>${text}</v></c>`);
  return `<row r="${number}">${written.join('')}</row>`;
}
