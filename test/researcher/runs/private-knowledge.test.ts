import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { answer, askedBy, honestModel } from '../../support/builders/researching-model.js';
import type { ReceivedRequest } from '../../support/servers/scripted-backend.js';

describe('research over knowledge bases beside the web', () => {
  it('asks a search provider for no name that only a knowledge base has', async () => {
    const { report } = await bed.research({ question: QUESTION, depth: 3, knowledgebase_ids: [base.id] });

    expect(report.text).toContain('ProjectNightfall');
    expect(queries().filter((query) => PRIVATE.test(query))).toEqual([]);
    expect(queries()).toContainEqual(expect.stringContaining('RivalHoldings'));
  });

  it('searches the knowledge base for what it says itself', async () => {
    const { report } = await bed.research({ question: QUESTION, depth: 2, knowledgebase_ids: [base.id] });

    const asked = report.unanswered.map(({ question }: AnyJson) => question);
    expect(asked).toContainEqual(expect.stringContaining('account_4711_zurich'));
  });

  it('asks for the same where such a session is read again', async () => {
    const first = await bed.research({ question: QUESTION, depth: 3, knowledgebase_ids: [base.id] });
    bed.searxng.reset();

    const again = await bed.research({ ...AGAIN, knowledgebase_ids: [base.id], replay_of: first.id });

    expect(JSON.stringify(again.report)).toBe(JSON.stringify(first.report));
    expect(queries()).toEqual([]);
  });

  it('tells a model nothing that sources say where it plans what is searched', async () => {
    const honest = honestModel('takeover');
    const plans: string[] = [];
    bed.gateway.backend.byDefault = (request) => {
      const { task, prompt } = askedBy(request);
      if (task !== 'plan') return honest(request);
      plans.push(prompt);
      return answer({ questions: [`Who manages the takeover, part ${plans.length}?`] });
    };

    const body = { question: QUESTION, depth: 2, knowledgebase_ids: [base.id], model: 'scripted' };
    const { report } = await bed.research(body);

    expect(report.text).toContain('ProjectNightfall');
    expect(plans.length).toBeGreaterThan(1);
    expect([...plans, ...queries()].filter((text) => /Nightfall|4711|Meier|RivalHoldings/.test(text))).toEqual([]);
  });

  let bed: ResearchBed;
  let base: KnowledgeProbe;
  beforeAll(async () => {
    bed = await ResearchBed.start({
      '/rival': articleOf('Rival', 'The takeover of the rival is planned with money of RivalHoldings.'),
    });
    base = await KnowledgeProbe.create(bed.platform, bed.tenant.user.token, { is_private: true });
    await base.index({
      'plans.txt':
        'The takeover of the rival is planned under the code name ProjectNightfall.\n\n' +
        'The takeover of the rival is paid from account_4711_zurich and is managed by MeierHoldings.\n',
    });
  });
  beforeEach(() => {
    bed.searxng.reset();
  });
  afterAll(() => bed.close());

  /** What the search provider was asked. */
  const queries = () => bed.searxng.requests.map(queryOf);
});

function queryOf({ path }: ReceivedRequest): string {
  return new URL(path, 'http://search.test').searchParams.get('q') ?? '';
}

const QUESTION = 'What takeover of the rival is planned?';
const AGAIN = { question: QUESTION, depth: 3 };
const PRIVATE = /nightfall|4711|zurich|meier/i;
