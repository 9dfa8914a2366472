import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { json } from '../support/servers/scripted-backend.js';
import type { ReceivedRequest } from '../support/servers/scripted-backend.js';

const BACKENDS = [{ models: ['ranker'], supports: ['rerank'] }];
const QUESTION = 'lunch in the canteen';

describe('what a query finds, with a reranker', () => {
  let [gateway, base]: [Gateway, KnowledgeProbe] = [] as never;
  beforeAll(begin);
  afterAll(() => gateway.close());
  afterEach(() => gateway.backend.reset());

  it('comes in its order, with its scores, which the least score means', async () => {
    gateway.backend.byDefault = scored;

    const all = await base.query(QUESTION);
    const good = await base.query(QUESTION, { min_score: 0.5 });

    expect(all.map(({ score }) => score)).toEqual([0.9, -2, -2]);
    expect(all[0]?.filename).toBe('c.txt');
    expect(good.map(({ filename }) => filename)).toEqual(['c.txt']);
    const [request] = gateway.backend.requests;
    expect(request?.path).toBe('/v1/rerank');
    expect(request?.body).toMatchObject({ model: 'ranker', query: QUESTION, top_n: 3 });
    expect(request?.body.documents).toHaveLength(3);
  });

  it('is in its own order where keywords alone are asked for', async () => {
    const found = await base.query(QUESTION, { mode: 'keyword' });

    expect(found).toHaveLength(3);
    expect(gateway.received).toBe(0);
  });

  it.each([
    ['fails', json(500, { error: { message: 'no' } })],
    ['answers no score for each', json(200, { results: [{ index: 0, relevance_score: 1 }] })],
    ['answers none of them', json(200, { results: [0, 1, 9].map((index) => ({ index, relevance_score: 1 })) })],
  ])('stays as it was where it %s', async (_what, script) => {
    gateway.backend.byDefault = () => script;

    const found = await base.query(QUESTION);

    expect(found).toHaveLength(3);
    expect(found[0]?.score).toBeLessThanOrEqual(1);
    expect(gateway.platform.logLines.join('')).toContain('what a query has found is not reranked');
  });

  it('is metered, also where the server tells a sum of tokens alone', async () => {
    gateway.backend.byDefault = scored;

    await base.query(QUESTION);

    const { body } = await gateway.get('/v1/usage/calls?limit=1');
    expect(body.data[0]).toMatchObject({ area: 'knowledge', model: 'ranker', prompt_tokens: 33, completion_tokens: 0 });
  });

  async function begin(): Promise<void> {
    gateway = await startGateway({ backends: BACKENDS, env: { KNOWLEDGE_RERANK_MODEL: 'ranker' } });
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
    await base.index({
      'a.txt': 'Lunch in the canteen is warm.',
      'b.txt': 'Lunch in the canteen is late.',
      'c.txt': 'Lunch in the canteen is cheap.',
    });
  }
});

/** Gives a text of something cheap a better score. */
function scored({ body }: ReceivedRequest) {
  const results = (body.documents as string[]).map((text, index) => ({
    index,
    relevance_score: text.includes('cheap') ? 0.9 : -2,
  }));
  return json(200, { results, usage: { total_tokens: 33 } });
}
