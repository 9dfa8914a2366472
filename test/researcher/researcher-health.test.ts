import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken } from '../support/builders/accounts.js';
import { startPlatform } from '../support/servers/platform.js';
import { json } from '../support/servers/scripted-backend.js';
import { pagesOf, searxngAnswer, startSearchBed } from '../support/servers/scripted-search.js';
import type { SearchBed } from '../support/servers/scripted-search.js';
import type { Client } from '../support/servers/platform.js';

const HEALTH = '/v1/researcher/health/detailed';

describe('the health of the researcher', () => {
  let [bed, token, sysadmin]: [SearchBed, string, Client] = [] as never;
  beforeAll(async () => {
    bed = await startSearchBed();
    token = (await bed.platform.login()).access_token;
    sysadmin = bed.platform.as(token);
  });
  afterAll(() => bed.close());

  it('asks SearXNG once, however many ask for it, and never a provider that costs money', async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => sysadmin.get(HEALTH)));

    expect(first?.body).toEqual({
      object: 'researcher.health',
      status: 'ok',
      search: [
        { name: 'searxng', ok: true, latency_ms: expect.any(Number), error: null, checked_at: expect.any(String) },
        { name: 'brave', ok: true, latency_ms: null, error: null, checked_at: null },
        { name: 'tavily', ok: true, latency_ms: null, error: null, checked_at: null },
      ],
      scraper: expect.objectContaining({ name: 'scraper', ok: true, error: null }),
      model: expect.objectContaining({ name: 'model', ok: true, error: null }),
      queue: { waiting: 0, running: 0, oldest_seconds: null },
    });
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect([bed.searxng, bed.brave, bed.tavily].map(({ requests }) => requests.length)).toEqual([1, 0, 0]);
  });

  it('tells how the last search went', async () => {
    bed.searxng.answer(json(403, {}));
    bed.brave.answer(json(401, {}));
    await sysadmin.post('/v1/researcher/search', { query: 'x' });

    const [summary, detailed] = [await sysadmin.get('/v1/researcher/health'), await sysadmin.get(HEALTH)];

    expect(summary.body).toEqual({
      object: 'researcher.health',
      status: 'degraded',
      checks: { search: 'degraded', scraper: 'ok', model: 'ok', queue: 'ok' },
    });
    expect(detailed.body.search).toMatchObject([
      { name: 'searxng', ok: false, error: 'refused' },
      { name: 'brave', ok: false, error: 'refused' },
      { name: 'tavily', ok: true, error: null, checked_at: expect.any(String) },
    ]);
  });

  it('is good again after a good search', async () => {
    bed.searxng.answer(searxngAnswer(pagesOf('a.test', 1, 10)));

    await sysadmin.post('/v1/researcher/search', { query: 'x' });

    expect((await sysadmin.get(HEALTH)).body.search[0]).toMatchObject({
      name: 'searxng',
      ok: true,
      error: null,
    });
  });

  it('is the same over GraphQL', async () => {
    const { body } = await sysadmin.graphql(
      '{ researcherHealth { checks { scraper } } researcherHealthDetails { search { name } queue { oldestSeconds } } }',
    );

    expect(body.data).toEqual({
      researcherHealth: { checks: { scraper: 'ok' } },
      researcherHealthDetails: {
        search: [{ name: 'searxng' }, { name: 'brave' }, { name: 'tavily' }],
        queue: { oldestSeconds: null },
      },
    });
  });

  it('is for those with the scope', async () => {
    const { token: narrow } = await addApiToken(bed.platform, token, ['models:read']);

    for (const path of ['/v1/researcher/health', HEALTH]) {
      expect((await bed.platform.request('GET', path)).status).toBe(401);
      expect((await bed.platform.as(narrow).get(path)).status).toBe(403);
    }
  });

  it('is off where nothing is configured, which is no fault', async () => {
    const platform = await startPlatform();
    const other = (await platform.login()).access_token;

    const { body } = await platform.as(other).get('/v1/researcher/health');
    await platform.close();

    expect(body).toMatchObject({ status: 'ok', checks: { search: 'off' } });
  });
});
