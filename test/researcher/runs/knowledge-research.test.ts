import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addApiToken } from '../../support/builders/accounts.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { ResearchBed } from '../../support/servers/research-bed.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';

describe('research over knowledge bases', () => {
  let bed: ResearchBed;
  let base: KnowledgeProbe;
  beforeAll(async () => {
    bed = await ResearchBed.start({});
    base = await KnowledgeProbe.create(bed.platform, bed.tenant.user.token);
    await base.index({ 'bridge.txt': 'The Kessel bridge is 412 metres long. It crosses the river Orla near Marn.' });
  });
  beforeEach(() => bed.searxng.reset());
  afterAll(() => bed.close());

  it('answers with what their files say', async () => {
    const session = await bed.research({ question: QUESTION, depth: 1, knowledgebase_ids: [base.id] });

    expect([session.status, session.report.text]).toEqual([
      'completed',
      expect.stringContaining('The Kessel bridge is 412 metres long'),
    ]);
  });

  it.each<[what: string, end: (token: { id: string }) => Promise<unknown>]>([
    ['deleted', ({ id }) => bed.platform.as(bed.tenant.user.token).delete(`/v1/api-tokens/${id}`)],
    ['over', ({ id }) => bed.platform.query(`UPDATE api_tokens SET expires_at = now() WHERE id = $1`, [id])],
  ])('reads no more of them when the token that began it is %s', async (_what, end) => {
    const token = await addApiToken(bed.platform, bed.tenant.user.token, ['researcher:write', 'knowledge:read']);
    const ended = Promise.withResolvers<unknown>();
    bed.searxng.answer({ pieces: [ended.promise] }, searxngAnswer([]));
    const firstQuery = bed.searxng.nextRequest();
    const body = { question: QUESTION, depth: 1, knowledgebase_ids: [base.id] };
    const { body: session } = await bed.platform.as(token.token).post('/v1/researcher/sessions', body);
    await firstQuery;

    ended.resolve(await end(token));

    expect(await bed.ended(session.id as string)).toMatchObject({ status: 'failed', reason: 'forbidden' });
  });
});

const QUESTION = 'How long is the Kessel bridge?';
