import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BraveProvider } from '../../../src/researcher/search/providers/brave.js';
import { SearxngProvider } from '../../../src/researcher/search/providers/searxng.js';
import { TavilyProvider } from '../../../src/researcher/search/providers/tavily.js';
import type { ProviderQuery, SearchProvider } from '../../../src/researcher/search/search.types.js';
import { json, startScriptedBackend } from '../../support/servers/scripted-backend.js';
import type { Script, ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { addressOf, braveAnswer, pagesOf, searxngAnswer, tavilyAnswer } from '../../support/servers/scripted-search.js';

describe('a search provider', () => {
  let [server, providers]: [ScriptedBackend, Record<string, SearchProvider>] = [] as never;
  beforeEach(start);
  afterEach(stop);

  it('that is a SearXNG is asked by page', async () => {
    server.answer(searxngAnswer([{ url: 'https://a.test/', published: '2024-05-17T00:00:00' }]));

    const hits = await ask('searxng', { query: 'port & host?', offset: 20, count: 10, language: 'de' });

    expect(server.requests[0]?.method).toBe('GET');
    expect(queryOf(server)).toEqual({ q: 'port & host?', format: 'json', pageno: '3', language: 'de' });
    expect(hits).toEqual([
      {
        title: 'Title of https://a.test/',
        url: 'https://a.test/',
        snippet: 'Text of https://a.test/',
        engine: 'wikipedia',
        publishedAt: new Date('2024-05-17T00:00:00Z'),
      },
    ]);
  });

  it('that is a SearXNG is given no commands', async () => {
    await ask('searxng', { query: '!!g !bing :fr what is 12:30 !' });

    expect(queryOf(server).q).toBe('g bing fr what is 12:30 !');
  });

  it('that is a SearXNG is asked in plain words where its engines fail at signs', async () => {
    server.answer(searxngAnswer([], ['fts']), searxngAnswer(pagesOf('a.test', 1, 1)));

    const hits = await ask('searxng', { query: 'pg_hba.conf "host" AND c++' });

    expect(hits).toHaveLength(1);
    expect(new URL(server.requests[1]?.path ?? '', server.url).searchParams.get('q')).toBe('pg_hba conf host and c');
  });

  it.each([
    ['with signs', 'what?', 2],
    ['in plain words', 'what', 1],
  ])('that is a SearXNG without results has failed where engines have: %s', async (_what, query, requests) => {
    server.byDefault = () => searxngAnswer([], ['google', 'bing']);

    await expect(ask('searxng', { query })).rejects.toMatchObject({ reason: 'unresponsive_engines' });
    expect(server.requests).toHaveLength(requests);
  });

  it('that is a SearXNG has an answer where some engines have failed, or none has anything', async () => {
    server.answer(searxngAnswer(pagesOf('a.test', 1, 2), ['google']), searxngAnswer([]));

    expect([await ask('searxng'), await ask('searxng')]).toMatchObject([[{}, {}], []]);
  });

  it('that is Brave is asked by page, and its marks are left out', async () => {
    const text = 'It&#x27;s <strong>5432</strong> &lt;by default&gt;';
    server.answer(
      braveAnswer([{ url: 'https://a.test/', title: 'A &amp; B', text, published: '2024-05-17T08:30:00' }]),
    );

    const hits = await ask('brave', { query: 'port', count: 20, offset: 40 });

    expect(queryOf(server)).toEqual({ q: 'port', count: '20', offset: '2' });
    expect(server.requests[0]).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': 'secret' } });
    expect(hits).toMatchObject([
      {
        title: 'A & B',
        snippet: "It's 5432 <by default>",
        engine: 'brave',
        publishedAt: new Date('2024-05-17T08:30:00Z'),
      },
    ]);
  });

  it('that is Brave has nothing where it says nothing of the web, and is not asked for an eleventh page', async () => {
    server.answer(json(200, { type: 'search' }));

    expect([await ask('brave'), await ask('brave', { count: 20, offset: 200 })]).toEqual([[], []]);
    expect(server.requests).toHaveLength(1);
  });

  it('that is Tavily is asked once', async () => {
    server.answer(tavilyAnswer([{ url: 'https://a.test/', published: 'Fri, 17 May 2024 08:30:00 GMT' }]));

    const hits = await ask('tavily', { query: 'port', count: 20 });
    const more = await ask('tavily', { query: 'port', count: 20, offset: 20 });

    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/search',
        headers: { authorization: 'Bearer secret' },
        body: { query: 'port', max_results: 20 },
      },
    ]);
    expect(hits).toMatchObject([{ engine: 'tavily', publishedAt: new Date('2024-05-17T08:30:00Z') }]);
    expect(more).toEqual([]);
  });

  it.each<[string, Script, string]>([
    ['401', json(401, {}), 'refused'],
    ['403, as without its format', json(403, {}), 'refused'],
    ['a redirect', json(302, {}, { location: 'http://169.254.169.254/' }), 'refused'],
    ['429', json(429, {}), 'rate_limited'],
    ['500', json(500, {}), 'server_error'],
    ['no JSON', { pieces: ['<html>'] }, 'bad_answer'],
    ['JSON of another form', json(200, { results: 'none', web: 7 }), 'bad_answer'],
    ['too many bytes', { pieces: ['{"a":"', 'x'.repeat(2 * 1024 * 1024), '"}'] }, 'bad_answer'],
    ['too many parts', { pieces: ['{"results":[', '{},'.repeat(100_001), '{}]}'] }, 'bad_answer'],
    ['too many levels', { pieces: [`{"results":${'['.repeat(100)}${']'.repeat(100)}}`] }, 'bad_answer'],
    ['an encoding', json(200, { results: [] }, { 'content-encoding': 'gzip' }), 'bad_answer'],
    ['a cut answer', { pieces: ['{"results":['], ending: 'cut' }, 'bad_answer'],
    ['a broken connection', { ending: 'reset' }, 'unreachable'],
  ])('has failed with %s', async (_what, script, reason) => {
    for (const name of Object.keys(providers)) {
      server.answer(script);

      await expect(ask(name)).rejects.toMatchObject({ name: 'SearchFailure', reason });
    }
  });

  it('is left as soon as nobody waits for it', async () => {
    server.answer({ ending: 'silent' });
    const leaving = new AbortController();
    const left = new Error('left');

    const asked = ask('searxng', { signal: leaving.signal });
    const request = await server.nextRequest();
    leaving.abort(left);

    await expect(asked).rejects.toBe(left);
    await request.gone;
  });

  async function start(): Promise<void> {
    server = await startScriptedBackend();
    server.byDefault = () => json(200, { results: [], web: { results: [] } });
    const address = addressOf(server);
    providers = {
      searxng: new SearxngProvider(address),
      brave: new BraveProvider(address, 'secret'),
      tavily: new TavilyProvider(address, 'secret'),
    };
  }

  async function stop(): Promise<void> {
    await Promise.all(Object.values(providers).map((provider) => provider.close()));
    await server.close();
  }

  function ask(name: string, query: Partial<ProviderQuery> = {}) {
    const question = { query: 'anything', count: 10, offset: 0, signal: new AbortController().signal, ...query };
    return (providers[name] as SearchProvider).search(question);
  }
});

function queryOf({ requests, url }: ScriptedBackend): Record<string, string> {
  return Object.fromEntries(new URL(requests[0]?.path ?? '', url).searchParams);
}
