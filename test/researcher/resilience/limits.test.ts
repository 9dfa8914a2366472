import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { researchCalls } from '../../support/probes/research-calls.js';
import { HELD_SECONDS, holdTime } from '../../support/builders/research-time.js';
import { answer, askedBy, honestModel } from '../../support/builders/researching-model.js';
import type { ResearchTask } from '../../support/builders/researching-model.js';
import { completion } from '../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../../support/servers/scripted-backend.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';

describe('the limits of a research session', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  it.each<[number, ResearchTask | undefined]>([
    [1_000, undefined],
    [4_000, 'plan'],
    [8_000, 'section'],
    [16_000, 'section'],
    [32_000, 'section'],
  ])(
    'has no more than its %d tokens in the ledger, whatever the model uses, and keeps a tenth for the report',
    async (most, last) => {
      bed.gateway.backend.byDefault = greedy;
      bed.searxng.byDefault = () => searxngAnswer(GUIDES.map((path) => ({ url: bed.site.url(path) })));
      const calls = (await researchCalls(bed.platform)).length;
      const requests = bed.gateway.backend.requests.length;

      const session = await bed.research({ ...SETTINGS, model: 'scripted', max_tokens: most });

      expect([session.status, session.error]).toEqual(['completed', null]);
      const ledger = (await researchCalls(bed.platform)).slice(calls);
      const asked = bed.gateway.backend.requests.slice(requests).map((request) => askedBy(request).task);
      expect(ledger).toHaveLength(asked.length);
      const used = ledger.map(({ tokens }) => tokens);
      expect(sum(used)).toBeLessThanOrEqual(most);
      expect(sum(used.filter((_, index) => asked[index] !== 'section'))).toBeLessThanOrEqual(0.9 * most);
      expect(session.usage.total_tokens).toBe(sum(used));
      expect(asked.at(-1)).toBe(last);
      expect(session.report.unanswered.map(({ reason }: AnyJson) => reason)).toContain('max_tokens');
    },
  );

  it('cuts the fetches that run when its time is over, and reports what is proven', async () => {
    bed.gateway.backend.byDefault = curious;
    bed.searxng.byDefault = ({ path }) =>
      searxngAnswer([{ url: bed.site.url(path.includes('Where') ? '/silent' : '/length') }]);

    using time = holdTime();
    const id = await bed.begin({ ...SETTINGS, depth: 2, model: 'scripted', max_seconds: HELD_SECONDS });
    await eventually('a page that says nothing is fetched', 20, () => silent.isAsked);

    time.end();
    const session = await bed.ended(id);

    expect([session.status, session.error]).toEqual(['completed', null]);
    expect(session.report.text).toContain('The Kessel bridge is 412 metres long');
    expect(session.report.unanswered).toEqual([
      { question: 'What is a zyxomma?', reason: 'max_seconds' },
      { question: 'Where does it live?', reason: 'max_seconds' },
    ]);
    expect(session.sources.map(({ url }: AnyJson) => url)).toEqual([bed.site.url('/length')]);
    await eventually('the fetch is cut', 5, () => silent.isGone);
  });
});

/** A model that uses what it may: all bytes of its request, and the whole bound of its answer. */
function greedy(request: ReceivedRequest): Script {
  const { max_tokens: bound } = request.body as AnyJson;
  const usage = { prompt_tokens: Buffer.byteLength(JSON.stringify(request.body)), completion_tokens: bound };
  const { pieces } = honestModel('Kessel')(request);
  const { choices } = JSON.parse(String((pieces as string[])[0])) as AnyJson;
  return completion(choices[0].message.content, { usage: { ...usage, total_tokens: usage.prompt_tokens + bound } });
}

/** A model that has another question in each round. */
function curious(request: ReceivedRequest): Script {
  const { task, prompt } = askedBy(request);
  if (task !== 'plan') return honestModel('Kessel')(request);
  return answer({ questions: [prompt.includes('zyxomma') ? 'Where does it live?' : 'What is a zyxomma?'] });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

const SETTINGS = { question: 'How long is the Kessel bridge?', depth: 1 };
const silent = { isAsked: false, isGone: false };
const GUIDES = Array.from({ length: 10 }, (_, guide) => `/guide-${guide}`);
const PAGES = {
  ...Object.fromEntries(
    GUIDES.map((path, guide) => [path, articleOf(path, `By guide ${guide} the Kessel bridge has ${guide}00 lamps.`)]),
  ),
  '/length': articleOf('Length', 'The Kessel bridge is 412 metres long.'),
  '/silent': (_: unknown, response: ServerResponse) => {
    silent.isAsked = true;
    response.on('close', () => (silent.isGone = true));
  },
};
