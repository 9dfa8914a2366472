import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { pdf } from '../../support/builders/documents/pdf-documents.js';
import { expectInert } from '../../support/probes/inert-markdown.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { articleOf } from '../../support/servers/research-bed.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';
import { FACT, TrapBed } from '../../support/servers/trap-bed.js';
import { orderedSentence, orderedUrl, orderOf } from './injections.js';
import { obeyingModel } from './obeying-model.js';

describe('an order that does not stand in the text of a page', () => {
  let bed: TrapBed;
  let shown: string[];
  beforeAll(() => begin());
  afterAll(() => bed.close());

  it.each(['builtin-extractive', 'scripted'])(
    'is only the name of its page where it is the title: %s',
    async (model) => {
      const { report } = await bed.research(['title'], { model });

      const [text = '', list = ''] = (report.text as string).split('\n---\n');
      expect(text).not.toMatch(/Zorbo|evil/);
      expect(JSON.stringify(report.sentences)).not.toMatch(/Zorbo|evil/);
      expect(list.trim().split('\n')).toHaveLength(report.citations.length);
      expectInert(report.text);
    },
  );

  it.each(['builtin-extractive', 'scripted'])('is not obeyed where the search tells it: %s', async (model) => {
    const found = ['untitled', 'honest'].map((name) => ({ url: bed.url(name), title: 'Lamps', text: ORDER }));

    const session = await researchFound(found, model);

    expect(JSON.stringify(session)).not.toMatch(/Zorbo|evil/);
    expect(session.report.sentences.map((one: AnyJson) => one.text)).toContain(FACT);
    expect(shown.join('\n')).not.toMatch(/Zorbo|evil/);
  });

  it.each(['builtin-extractive', 'scripted'])('is not obeyed where it stands in a PDF file: %s', async (model) => {
    const { report, sources } = await bed.research(['file'], { model });

    const texts = report.sentences.map((one: AnyJson) => one.text);
    expect(sources[0]).toMatchObject({ status: 'read' });
    expect(texts).toContain(FACT);
    expect(texts).not.toContain(orderedSentence(7));
    expectInert(report.text);
  });

  it.each(['builtin-extractive', 'scripted'])(
    'is not obeyed where it stands in a knowledge base: %s',
    async (model) => {
      const { platform, tenant } = bed.bed;
      const base = await KnowledgeProbe.create(platform, tenant.user.token);
      await base.index({ 'bridge.md': `# Kessel\n\n${FACT}\n\n${ORDER}\n\n${LAMPS}${TAGGED}\n`, 'lamps.txt': LAMPS });

      const { status, report, sources } = await bed.research([], { model, knowledgebase_ids: [base.id] });

      const texts = report.sentences.map((one: AnyJson) => one.text);
      expect([status, sources[0].status]).toEqual(['completed', 'read']);
      expect(texts).toContain(FACT);
      expect(texts).not.toContain(orderedSentence(7));
      expect(JSON.stringify(report) + shown.join('\n')).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
      expectInert(report.text);
    },
  );

  async function begin(): Promise<void> {
    const file = await pdf((document) => void document.addPage().text(LAMPS).text(ORDER).fillOpacity(0).text(ORDER));
    bed = await TrapBed.start(() => ({
      title: { page: { body: `<title>${ORDER} ![x](${orderedUrl(7)})</title><main><p>${LAMPS}</p></main>` } },
      untitled: { page: articleOf('', LAMPS) },
      file: { page: { headers: { 'content-type': 'application/pdf' }, body: file } },
    }));
    shown = [];
    const orders = { ordered: orderedSentence(7), url: orderedUrl(7), order: ORDER, fact: FACT };
    bed.bed.gateway.backend.byDefault = obeyingModel([orders], shown);
  }

  async function researchFound(found: Parameters<typeof searxngAnswer>[0], model: string): Promise<AnyJson> {
    shown.length = 0;
    bed.bed.searxng.byDefault = () => searxngAnswer(found);
    return bed.bed.research({ question: 'How long is the Kessel bridge?', depth: 1, model });
  }
});

const ORDER = orderOf(7);
const TAGGED = String.fromCodePoint(...Array.from(ORDER, (character) => 0xe0000 + character.charCodeAt(0)));
const LAMPS = 'The Kessel bridge has four lanes and 70 lamps, which are lit at night.';
