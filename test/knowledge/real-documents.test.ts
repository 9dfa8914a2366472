import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { presentation, wordDocument, workbook } from '../support/builders/documents/office-documents.js';
import { pdf } from '../support/builders/documents/pdf-documents.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { userMessage } from '../support/builders/chat-request.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

const CHAT =
  'mutation ($body: JSON!) { createKnowledgeChat(body: $body) { citations { filename page quote chunkId } } }';
const QUERY =
  'query ($id: ID!, $query: String!) { queryKnowledgeBase(id: $id, query: $query) { data { filename page text chunkId } } }';

describe('what stands in documents that real programs write', () => {
  let [platform, token, base]: [Platform, string, KnowledgeProbe] = [] as never;
  beforeAll(begin);
  afterAll(() => platform.close());

  it.each([
    ['manual.pdf', 3, 'Which tariff do guests of the marina pay?', 'Guests of the marina pay 31 euros a night.'],
    ['manual.pdf', 1, 'When does the harbour office open?', 'The harbour office opens at six in the morning.'],
    ['tides.docx', null, 'How was it measured?', 'Measured at low water.'],
    ['tides.xlsx', 2, 'Which note is kept by the keepers?', 'Kept by the keepers'],
    ['tides.pptx', 1, 'Are tides higher in spring?', 'Higher in spring'],
  ])('is found on its page, and quoted from there: %s, page %s', async (filename, page, question, said) => {
    const [first] = await base.query(question, { top_k: 1 });
    const graph = await platform.graphql(QUERY, { id: base.id, query: question }, token);
    const body = { model: 'builtin-extractive', knowledgebase_id: base.id, messages: [userMessage(question)] };
    const chat = await platform.request('POST', '/v1/knowledgebase/chat/completions', { token, body });
    const chatGraph = await platform.graphql(CHAT, { body }, token);

    expect(first).toMatchObject({ filename, page });
    expect(first?.text).toContain(said);
    expect(graph.body.data.queryKnowledgeBase.data[0]).toMatchObject({ filename, page, chunkId: first?.chunk_id });
    const citation = chat.body.citations.find((found: AnyJson) => found.filename === filename);
    expect(citation).toMatchObject({ filename, page });
    expect(chatGraph.body.data.createKnowledgeChat.citations).toContainEqual(
      expect.objectContaining({ filename, page, quote: citation.quote }),
    );
  });

  async function begin(): Promise<void> {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
    base = await KnowledgeProbe.create(platform, token);
    const files = await base.index({
      'manual.pdf': await manual(),
      'tides.docx': await wordDocument(),
      'tides.xlsx': await workbook(),
      'tides.pptx': await presentation(),
    });
    expect(files.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready']);
  }
});

/** Three pages, each with a fact of its own. */
function manual(): Promise<Buffer> {
  return pdf((document) => {
    for (const text of [
      'The harbour office opens at six in the morning. Keys are kept there.',
      'Boats are lifted on Tuesdays. The crane lifts up to forty tons.',
      'Guests of the marina pay 31 euros a night. Members pay nothing.',
    ]) {
      document.addPage().fontSize(12).text(text);
    }
  });
}
