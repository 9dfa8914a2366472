import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInUser, addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { addCredibilityConfig } from '../../support/builders/credibility.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { heldUntil, json } from '../../support/servers/scripted-backend.js';
import {
  braveAnswer,
  pagesOf,
  searxngAnswer,
  startSearchBed,
  tavilyAnswer,
} from '../../support/servers/scripted-search.js';
import type { SearchBed } from '../../support/servers/scripted-search.js';

describe('POST /v1/researcher/search', () => {
  let [bed, tenant]: [SearchBed, StaffedTenant] = [] as never;
  beforeAll(async () => void (bed = await startSearchBed()));
  afterAll(() => bed.close());
  beforeEach(begin);

  it('answers the pages that the first provider finds', async () => {
    bed.searxng.answer(searxngAnswer([{ url: 'https://a.test/', title: 'A', text: 'Text', published: '2024-05-17' }]));

    const { status, body } = await search({ query: 'default port' });

    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'researcher.search',
      query: 'default port',
      results: [
        {
          title: 'A',
          url: 'https://a.test/',
          snippet: 'Text',
          engine: 'wikipedia',
          published_at: '2024-05-17T00:00:00.000Z',
          credibility: null,
        },
      ],
    });
    expect([bed.brave.requests, bed.tavily.requests]).toEqual([[], []]);
  });

  it('answers others while all searches of one user are held up', async () => {
    const gate = Promise.withResolvers<void>();
    const answer = searxngAnswer(pagesOf('a.test', 1, 3));
    const isOfMany = ({ path }: { readonly path: string }) => path.includes('q=many');
    bed.searxng.byDefault = (request) => (isOfMany(request) ? heldUntil(gate.promise, answer) : answer);
    const other = await addSignedInUser(bed.platform, tenant.id);
    const many = Array.from({ length: 40 }, () => search({ query: 'many', maxResults: 1 }));
    await eventually('the provider is asked', 20, () => bed.searxng.requests.filter(isOfMany).length >= 8);

    const { status } = await bed.platform.as(other.token).post('/v1/researcher/search', { query: 'one' });

    expect([status, bed.searxng.requests.filter(isOfMany).length]).toEqual([200, 8]);
    gate.resolve();
    expect(new Set((await Promise.all(many)).map((answered) => answered.status))).toEqual(new Set([200]));
  });

  it('is the same over GraphQL', async () => {
    bed.searxng.byDefault = () => searxngAnswer(pagesOf('a.test', 1, 3));
    const query = `query ($query: String!) { searchWeb(query: $query, maxResults: 2) {
      object query results { title url snippet engine publishedAt credibility } } }`;

    const { body } = await bed.platform.graphql(query, { query: 'anything' }, tenant.user.token);

    expect(body.data.searchWeb).toMatchObject({ object: 'researcher.search', query: 'anything' });
    expect(body.data.searchWeb.results).toEqual(
      [1, 2].map((number) => ({
        title: `Title of https://a.test/page-${number}`,
        url: `https://a.test/page-${number}`,
        snippet: `Text of https://a.test/page-${number}`,
        engine: 'wikipedia',
        publishedAt: null,
        credibility: null,
      })),
    );
  });

  it('asks the next provider where one fails, and the last one in the end', async () => {
    bed.searxng.byDefault = () => searxngAnswer([], ['google']);
    bed.brave.answer(braveAnswer(pagesOf('a.test', 1, 1)), json(429, {}));
    bed.tavily.answer(tavilyAnswer(pagesOf('b.test', 1, 1)));

    const [second, third] = [await search({ maxResults: 1 }), await search({ maxResults: 1 })];

    expect(second.body.results).toMatchObject([{ url: 'https://a.test/page-1', engine: 'brave' }]);
    expect(third.body.results).toMatchObject([{ url: 'https://b.test/page-1', engine: 'tavily' }]);
  });

  it('gives ten results by default, over as many pages as it takes', async () => {
    bed.searxng.answer(searxngAnswer(pagesOf('a.test', 1, 6)), searxngAnswer(pagesOf('a.test', 5, 14)));

    const { body } = await search();

    expect(body.results.map(({ url }: { url: string }) => url)).toEqual(pagesOf('a.test', 1, 10).map(({ url }) => url));
  });

  it('tells how credible hosts are by the default configuration, and leaves out what is not enough', async () => {
    const rules = [
      { pattern: '*.good.test', score: 0.9 },
      { pattern: 'bad.test', score: 0.1 },
    ];
    await addCredibilityConfig(bed.platform, tenant.admin.token, { rules, min_score: 0.3 });
    await addCredibilityConfig(bed.platform, tenant.admin.token, { min_score: 1 });
    bed.searxng.answer(searxngAnswer(['a.good.test', 'bad.test', 'other.test'].flatMap((host) => pagesOf(host, 1, 1))));

    const { body } = await search();

    expect(body.results).toMatchObject([
      { url: 'https://a.good.test/page-1', credibility: 0.9 },
      { url: 'https://other.test/page-1', credibility: 0.5 },
    ]);
  });

  it.each([
    ['no query', {}, 'query'],
    ['an empty query', { query: '  ' }, 'query'],
    ['a long query', { query: 'x'.repeat(1_001) }, 'query'],
    ['a query that is no text', { query: 7 }, 'query'],
    ['no results', { query: 'x', maxResults: 0 }, 'maxResults'],
    ['too many results', { query: 'x', maxResults: 51 }, 'maxResults'],
    ['a part of a result', { query: 'x', maxResults: 1.5 }, 'maxResults'],
  ])('is 400 with %s', async (_what, body, param) => {
    const answer = await bed.platform.as(tenant.user.token).post('/v1/researcher/search', body);

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', param } } });
    expect(bed.searxng.requests).toEqual([]);
  });

  it('is 401 without a token, and 403 without its scope', async () => {
    const { token } = await addApiToken(bed.platform, tenant.user.token, ['researcher:read']);

    expect((await search({}, '')).status).toBe(401);
    expect((await search({}, token)).status).toBe(403);
  });

  it('is 502 where no provider answers, which says nothing of them', async () => {
    for (const provider of [bed.searxng, bed.brave, bed.tavily]) provider.answer(json(500, { error: 'at 10.1.2.3' }));

    const { status, body } = await search();

    expect([status, body.error.code]).toEqual([502, 'bad_upstream']);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3|searxng/);
  });

  it('is 409 without a provider', async () => {
    const platform = await startPlatform();
    const token = (await platform.login()).access_token;

    const answer = await platform.as(token).post('/v1/researcher/search', { query: 'x' });
    await platform.close();

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'capability_not_supported' } } });
  });

  it('writes no query and no key into the log', async () => {
    bed.searxng.answer(json(500, {}));

    await search({ query: 'very private question' });

    expect(bed.platform.logLines.join('\n')).not.toMatch(/very private|very\+private|brave-key|tavily-key/);
  });

  async function begin(): Promise<void> {
    bed.reset();
    bed.searxng.byDefault = () => searxngAnswer([]);
    tenant = await addStaffedTenant(bed.platform);
  }

  function search(members: object = {}, token = tenant.user.token): Promise<RestAnswer> {
    const body = { query: 'anything', ...members };
    return bed.platform.request('POST', '/v1/researcher/search', { token: token === '' ? undefined : token, body });
  }
});
