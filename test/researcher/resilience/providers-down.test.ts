import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { json, startScriptedBackend } from '../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { addressOf, braveAnswer, searxngAnswer } from '../../support/servers/scripted-search.js';

const DOWN = json(500, { error: 'down' });

describe('research while search providers are down', () => {
  let [bed, brave]: [ResearchBed, ScriptedBackend] = [] as never;
  beforeAll(async () => {
    brave = await startScriptedBackend();
    bed = await ResearchBed.start(PAGES, { BRAVE_URL: addressOf(brave), BRAVE_API_KEY: 'brave-key' });
  });
  afterAll(() => Promise.all([bed.close(), brave.close()]));
  beforeEach(() => answerAgain());

  it.each([
    ['answers with an error', DOWN],
    ['is asked too often', json(429, {}, { 'retry-after': '60' })],
    ['breaks off', { ending: 'reset' as const }],
    ['has engines that do not answer', searxngAnswer([], ['wikipedia'])],
  ])('goes on with the next one where the first one %s', async (_what, failure) => {
    const undisturbed = await bed.research({ question: QUESTION, depth: 1 });
    bed.searxng.byDefault = () => failure;

    const session = await bed.research({ question: QUESTION, depth: 1 });

    expect(session.status).toBe('completed');
    expect(session.report).toEqual(undisturbed.report);
    expect(brave.requests.length).toBeGreaterThan(0);
  });

  it('is failed where none can be asked, and has the report as undisturbed when it is resumed', async () => {
    const undisturbed = await bed.research({ question: QUESTION, depth: 1 });
    bed.searxng.byDefault = () => DOWN;
    brave.byDefault = () => DOWN;
    const failed = await bed.research({ question: QUESTION, depth: 1 });
    const { id } = failed;

    bed.searxng.byDefault = () => searxngAnswer(found());
    const resumed = await bed.resumed(id);

    expect([failed.status, failed.reason, failed.error]).toEqual([
      'failed',
      'search_failed',
      'No search provider could answer.',
    ]);
    expect([failed.report, failed.sources]).toEqual([null, []]);
    expect([resumed.status, resumed.reason, resumed.error]).toEqual(['completed', null, null]);
    expect(JSON.stringify(resumed.report)).toBe(JSON.stringify(undisturbed.report));
    expect(await areNumbered(id)).toBe(true);
  });

  it('reports what is proven where they go down after the first query, and says what is unanswered', async () => {
    const question = 'How long is the Kessel bridge, and what is a zyxomma?';
    bed.searxng.answer(searxngAnswer(found()), searxngAnswer([]));
    bed.searxng.byDefault = () => DOWN;
    brave.byDefault = () => DOWN;

    const session = await bed.research({ question, depth: 2 });

    expect([session.status, session.error]).toEqual(['completed', null]);
    expect(session.report.text).toContain('The Kessel bridge is 412 metres long');
    expect(session.report.unanswered.length).toBeGreaterThan(0);
    expect(await areNumbered(session.id)).toBe(true);
  });

  function answerAgain(): void {
    for (const provider of [bed.searxng, brave]) provider.reset();
    bed.searxng.byDefault = () => searxngAnswer(found());
    brave.byDefault = () => braveAnswer(found());
  }

  const found = () => Object.keys(PAGES).map((path) => ({ url: bed.site.url(path) }));

  /** Whether the events of a session are numbered from 1, each once. */
  async function areNumbered(id: string): Promise<boolean> {
    return (await bed.events(id)).every((event, index) => event.id === index + 1);
  }
});

const QUESTION = 'How long is the Kessel bridge?';
const PAGES = {
  '/bridge': articleOf('The Kessel bridge', 'The Kessel bridge is 412 metres long. It crosses the river Orla.'),
  '/history': articleOf('History', 'The Kessel bridge was opened in 1967. It has four lanes for cars.'),
};
