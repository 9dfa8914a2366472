import { beforeAll, describe, expect, it } from '@jest/globals';
import { userMessage } from '../support/builders/chat-request.js';
import { wordBody } from '../support/builders/documents/rich-office-documents.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { usePlatform } from '../support/servers/use-servers.js';

const TOWNS = Array.from({ length: 80 }, (_, index) => [`Town ${index}`, `${index}1`, `${index}2`, `${index}3`]);

describe('what is asked of a table', () => {
  const platform = usePlatform();
  let base: KnowledgeProbe;
  beforeAll(async () => {
    base = await KnowledgeProbe.create(platform, (await platform.login()).access_token);
    const files = await base.index({ 'moorings.html': htmlFees(), 'berths.docx': await wordFees() });
    expect(files.map(({ status }) => status)).toEqual(['ready', 'ready']);
  });

  it.each([
    ['What is the mooring fee of Town 71 in 2025?', 'Town 71', 'Mooring fee 2025', '712'],
    ['What is the mooring fee of the Lighthouse plan in 2026?', 'Lighthouse', '2026', '99'],
    ['What is the berth fee of the Pier plan in 2026?', 'Pier', '2026', '88'],
    ['What is the berth fee of the Quay plan in 2024?', 'Quay', 'Berth fee 2024', '44'],
  ])('is answered below the name of its column: %s', async (question, row, column, value) => {
    const [passage] = await base.query(question, { top_k: 1 });
    const body = { model: 'builtin-extractive', knowledgebase_id: base.id, messages: [userMessage(question)] };
    const chat = await platform.request('POST', '/v1/knowledgebase/chat/completions', { token: base.token, body });

    const { content } = chat.body.choices[0].message;
    for (const text of [passage?.text, content]) expect(valueIn(text as string, row, column)).toBe(value);
    expect(chat.body.citations[0].quote).toContain(`${row} | `);
  });
});

/** What stands in a row of a text, below the name of a column. */
function valueIn(text: string, row: string, column: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(/ \[\d+\].*$/, '').split(' | '));
  const at = lines.find((cells) => cells.includes(column))?.indexOf(column) ?? -1;
  return lines.find(([first]) => first === row)?.[at];
}

function htmlFees(): string {
  const towns = TOWNS.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`).join('');
  return `<h1>Moorings</h1><table>
    <tr><th rowspan="2">Plan<th colspan="2">Mooring fee<th rowspan="2">2026<tr><th>2024<th>2025
    <tr><td>Lighthouse<td colspan="2">Not offered before 2026<td>99${towns}</table>`;
}

function wordFees(): Promise<Buffer> {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const wide = '<w:gridSpan w:val="2"/>';
  const rows = [
    [cell('Plan', '<w:vMerge w:val="restart"/>'), cell('Berth fee', wide), cell('2026', '<w:vMerge w:val="restart"/>')],
    [cell('', '<w:vMerge/>'), cell('2024'), cell('2025'), cell('', '<w:vMerge/>')],
    [cell('Pier'), cell('Not offered before 2026', wide), cell('88')],
    [cell('Quay'), cell('44'), cell('55'), cell('66')],
  ];
  return wordBody(`<w:tbl>${rows.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('')}</w:tbl>`);
}
