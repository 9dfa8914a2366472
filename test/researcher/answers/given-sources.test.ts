import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { answer, honestModel } from '../../support/builders/researching-model.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';

const QUESTION = 'How long is the Kessel bridge?';

describe('answers from sources that are given', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());
  beforeEach(() => void (bed.gateway.backend.byDefault = honestModel('Kessel')));

  it.each(['builtin-extractive', 'scripted'])('are claims, each with the place that proves it: %s', async (model) => {
    const { status, body } = await bed.post('analyze', { question: QUESTION, model, sources: SOURCES });

    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'researcher.analysis', question: QUESTION });
    const claim = { text: 'The Kessel bridge is 412 metres long.', support: 'verbatim' };
    expect(body.claims).toContainEqual(expect.objectContaining(claim));
    for (const { quotes } of body.claims as AnyJson[]) {
      for (const { source_id: id, quote, start, end } of quotes as AnyJson[]) {
        const at = body.sources.findIndex((source: AnyJson) => source.id === id);
        expect(SOURCES[at]?.text.slice(start, end)).toBe(quote);
      }
    }
    expect(body.contradictions).toHaveLength(1);
  });

  it.each(['builtin-extractive', 'scripted'])('are a report whose citations are sources: %s', async (model) => {
    const { status, body } = await bed.post('synthesize', { question: QUESTION, model, sources: SOURCES });

    expect(status).toBe(200);
    expect(body.report.text).toContain('412 metres');
    expect(body.report.sentences.length).toBeGreaterThan(0);
    const ids = body.sources.map(({ id }: AnyJson) => id);
    for (const { source_id: id } of body.report.citations) expect(ids).toContain(id);
  });

  it.each(['analyze', 'synthesize'])('hide nothing in a title, and turn nothing round in it: %s', async (path) => {
    const hidden = { text: SOURCES[0]?.text, title: 'Report \u202egnp.exe\u200b\u{e0041}\n# A heading' };

    const { body } = await bed.post(path, {
      question: QUESTION,
      sources: [hidden, { ...SOURCES[1], title: '\u202e' }],
    });

    expect(body.sources.map(({ title }: AnyJson) => title)).toEqual(['Report gnp.exe # A heading', null]);
  });

  it('read pages, and tell why they could not be read', async () => {
    const sources = [{ url: bed.site.url('/bridge') }, { url: bed.site.url('/gone') }, { url: 'http://10.0.0.1/' }];

    const { body } = await bed.post('analyze', { question: QUESTION, sources });

    expect(body.sources.map(({ reason }: AnyJson) => reason)).toEqual([null, 'http_error', 'blocked_address']);
    expect(body.claims.length).toBeGreaterThan(0);
  });

  it('keep places for others: of one user two are made, ten wait, and no more are taken', async () => {
    const held = Promise.withResolvers<void>();
    bed.gateway.backend.byDefault = () => heldUntil(held.promise, answer({ claims: [] }));
    const body = { question: QUESTION, model: 'scripted', sources: SOURCES };
    const settled: number[] = [];
    const all = Array.from({ length: 16 }, async () => settled.push((await bed.post('analyze', body)).status));
    await eventually('four are refused', 20, () => settled.join() === '429,429,429,429');

    const admin = bed.platform.as(bed.tenant.admin.token);
    const other = await admin.post('/v1/researcher/analyze', { question: QUESTION, sources: SOURCES });

    expect(other.status).toBe(200);
    held.resolve();
    await Promise.all(all);
    expect(settled).toHaveLength(16);
    expect(settled.filter((status) => status === 429)).toHaveLength(4);
  });

  it('store nothing', async () => {
    const count =
      'SELECT (SELECT count(*) FROM research_sessions)::integer AS sessions, count(*)::integer AS blobs FROM blobs';
    const before = await bed.platform.query(count);

    await bed.post('synthesize', { question: QUESTION, sources: SOURCES });

    expect(await bed.platform.query(count)).toEqual(before);
  });

  it.each([
    ['question', { question: ' ', sources: [{ text: 'Text' }] }],
    ['question', { question: 'x'.repeat(2_001), sources: [{ text: 'Text' }] }],
    ['sources', { question: QUESTION, sources: [] }],
    ['sources', { question: QUESTION, sources: [{}] }],
    ['sources', { question: QUESTION, sources: [{ text: 'Text', url: 'https://a.test' }] }],
    ['sources', { question: QUESTION, sources: [{ url: 'nothing' }] }],
    ['sources', { question: QUESTION, sources: Array.from({ length: 21 }, () => ({ text: 'Text' })) }],
  ])('name what is wrong: %s', async (param, body) => {
    const { status, body: refused } = await bed.post('analyze', body);

    expect([status, refused.error.param]).toEqual([400, param]);
  });
});

const SOURCES = [
  { text: 'The Kessel bridge is 412 metres long. It crosses the river Orla.', title: 'Guide' },
  { text: 'Marn has three bridges. The Kessel bridge is 398 metres long.', title: 'Bridges of Marn' },
];
const PAGES = {
  '/bridge': articleOf('The Kessel bridge', 'The Kessel bridge is 412 metres long, and has four lanes.'),
};
