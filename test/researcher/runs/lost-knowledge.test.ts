import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { ResearchBed } from '../../support/servers/research-bed.js';
import { askAgainAtOnce } from '../../support/builders/research-time.js';
import { askedBy, honestModel } from '../../support/builders/researching-model.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';

describe('research over a knowledge base that its beginner loses', () => {
  let bed: ResearchBed;
  let base: KnowledgeProbe;
  beforeAll(async () => {
    bed = await ResearchBed.start({});
    base = await KnowledgeProbe.create(bed.platform, bed.tenant.admin.token, { is_private: false });
    await base.index({ 'vault.txt': 'The Kessel vault stands in the cellar behind the red door of the old house.' });
  });
  beforeEach(() => regain());
  afterAll(() => bed.close());

  it('ends while a model is asked, and asks it no more', async () => {
    const answered = Promise.withResolvers<void>();
    const honest = honestModel('Kessel');
    bed.gateway.backend.byDefault = (request) => heldUntil(answered.promise, honest(request));
    const asked = bed.gateway.backend.nextRequest();
    const id = await bed.begin(session());
    const { gone } = await asked;

    await lose();

    await gone;
    answered.resolve();
    expect(await bed.ended(id)).toMatchObject({ status: 'failed', reason: 'forbidden' });
    expect(bed.gateway.backend.requests).toHaveLength(1);
  });

  async function regain(): Promise<void> {
    bed.gateway.backend.reset();
    await base.request('PATCH', '', { is_private: false });
  }

  it('is not resumed', async () => {
    const id = await failedAtClaims();
    await lose();

    const { status, body } = await bed.post(`sessions/${id}/resume`, {});

    expect([status, body?.error?.code, (await bed.read(id)).status]).toEqual([404, 'not_found', 'failed']);
  });

  it('shows a model nothing of it where the right was lost before a run that was resumed began', async () => {
    const id = await failedAtClaims();
    bed.gateway.backend.reset();
    const answered = Promise.withResolvers<void>();
    bed.gateway.backend.byDefault = (request) => heldUntil(answered.promise, honestModel('Kessel')(request));
    const others = [await bed.begin(OTHER), await bed.begin(OTHER)];
    await eventually('both places of the user are taken', 20, () => bed.gateway.backend.requests.length === 2);
    await bed.post(`sessions/${id}/resume`, {});
    await lose();

    for (const other of others) await bed.post(`sessions/${other}/cancel`, {});

    expect(await bed.ended(id)).toMatchObject({ status: 'failed', reason: 'forbidden' });
    answered.resolve();
    expect(bed.gateway.backend.requests).toHaveLength(2);
  });

  const session = () => ({ question: QUESTION, depth: 1, model: 'scripted', knowledgebase_ids: [base.id] });

  const lose = () => base.request('PATCH', '', { is_private: true });

  /** @returns the id of a session that has read the knowledge base, and whose model has failed at what it says */
  async function failedAtClaims(): Promise<string> {
    using _impatience = askAgainAtOnce();
    const honest = honestModel('Kessel');
    bed.gateway.backend.byDefault = (request) =>
      askedBy(request).task === 'claims' ? { ending: 'reset' } : honest(request);
    const { id, status, reason, sources } = await bed.research(session());
    expect([status, reason, sources]).toMatchObject(['failed', 'model_failed', [{ status: 'read' }]]);
    return id as string;
  }
});

const QUESTION = 'Where does the Kessel vault stand?';
const OTHER = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
