import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addCredibilityConfig } from '../../support/builders/credibility.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';

const QUESTION = 'How long is the Kessel bridge?';

describe('a page at a credible address that redirects to a less credible one', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  const useScores = (lowest: number) =>
    addCredibilityConfig(bed.platform, bed.tenant.admin.token, {
      rules: [{ pattern: 'localhost', score: 0.3 }],
      default_score: 0.9,
      min_score: lowest,
      is_default: true,
    });

  it('is as credible as that one in a session, and in its replay', async () => {
    await useScores(0.1);

    const session = await bed.research({ question: QUESTION, depth: 1 });
    const again = await bed.research({ question: QUESTION, depth: 1, replay_of: session.id });

    expect(session.sources).toMatchObject([{ status: 'read', credibility: 0.3 }]);
    expect(again.sources).toEqual(session.sources);
    expect(JSON.stringify(again.report)).toBe(JSON.stringify(session.report));
  });

  it('is skipped in a session, and in its replay, where it is not credible enough', async () => {
    await useScores(0.5);

    const session = await bed.research({ question: QUESTION, depth: 1 });
    const again = await bed.research({ question: QUESTION, depth: 1, replay_of: session.id });

    expect(session.sources).toMatchObject([{ status: 'skipped', reason: 'low_credibility' }]);
    expect(session.report.sentences).toEqual([]);
    expect(again.sources).toEqual(session.sources);
  });

  it.each([
    { lowest: 0.1, reason: null, claims: 1 },
    { lowest: 0.5, reason: 'low_credibility', claims: 0 },
  ])('is scored anew as a source that is given: at least $lowest', async ({ lowest, reason, claims }) => {
    await useScores(lowest);

    const { body } = await bed.post('analyze', { question: QUESTION, sources: [{ url: bed.site.url('/found') }] });

    expect(body.sources).toMatchObject([{ credibility: 0.3, reason }]);
    expect(body.claims).toHaveLength(claims);
  });
});

const PAGES = {
  '/found': (request: IncomingMessage, response: ServerResponse) => {
    const isFound = request.headers.host?.startsWith('127.0.0.1') === true;
    const { body = '' } = articleOf('Bridge', 'The Kessel bridge is 412 metres long.') as { body?: string };
    const location = `http://localhost:${request.socket.localPort}/found`;
    response.writeHead(isFound ? 302 : 200, { 'content-type': 'text/html', ...(isFound && { location }) }).end(body);
  },
};
