import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { searxngAnswer } from '../../support/servers/scripted-search.js';

describe('research with little time', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  it('reports what it has read where other pages take all the time that there is', async () => {
    // Of one host one page is read at a time.
    const silent = bed.site.url('/silent').replace('127.0.0.1', 'localhost');
    bed.searxng.byDefault = () => searxngAnswer([{ url: silent }, { url: bed.site.url('/bridge') }]);

    const session = await bed.research({ question: QUESTION, depth: 1, max_seconds: 10 });

    expect([session.status, session.error]).toEqual(['completed', null]);
    expect(session.sources.map(({ url, status }: { url: string; status: string }) => [url, status])).toEqual([
      [bed.site.url('/bridge'), 'read'],
    ]);
    expect(session.report.text).toContain('The Kessel bridge is 412 metres long');
    expect(session.report.unanswered).toContainEqual(expect.objectContaining({ reason: 'max_seconds' }));
  });
});

const PAGES = {
  '/silent': () => {
    // It never answers.
  },
  '/bridge': articleOf('The Kessel bridge', 'The Kessel bridge is 412 metres long. It crosses the river Orla.'),
};
const QUESTION = 'How long is the Kessel bridge?';
