import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CredibilityScores } from '../../../src/researcher/credibility/credibility-scores.js';
import { ProviderHealth } from '../../../src/researcher/search/provider-health.js';
import { SearchFailure } from '../../../src/researcher/search/search-failure.js';
import type { SearchFailureReason } from '../../../src/researcher/search/search-failure.js';
import type { ProviderQuery, SearchHit, SearchProvider } from '../../../src/researcher/search/search.types.js';
import { WebSearch } from '../../../src/researcher/search/web-search.js';

describe('a search of the web', () => {
  it('asks the first provider alone where that answers', async () => {
    const [first, second] = [provider('first', [hits(1, 3)]), provider('second', [hits(4, 6)])];

    expect(await search([first, second])).toEqual(urls(1, 3));
    expect(second.asked).toEqual([]);
  });

  it.each<SearchFailureReason>(['unreachable', 'timeout', 'refused', 'rate_limited', 'unresponsive_engines'])(
    'asks the next provider where one has failed: %s',
    async (reason) => {
      const providers = [provider('first', [failure(reason)]), provider('second', [hits(4, 6)])];

      expect(await search(providers)).toEqual(urls(4, 6));
    },
  );

  it('has the next provider go on where one fails in the middle, without what is known', async () => {
    const providers = [provider('first', [hits(1, 10), failure('timeout')]), provider('second', [hits(8, 20)])];

    expect(await search(providers, { maxResults: 15 })).toEqual(urls(1, 15));
  });

  it('answers what was found where nobody is left to go on', async () => {
    expect(await search([provider('first', [hits(1, 4), failure('timeout')])])).toEqual(urls(1, 4));
  });

  it('reads page after page until there are enough', async () => {
    const first = provider('first', [hits(1, 10), hits(11, 20), hits(21, 30)]);

    expect(await search([first], { maxResults: 15 })).toEqual(urls(1, 15));
    expect(first.asked).toMatchObject([
      { count: 10, offset: 0 },
      { count: 10, offset: 10 },
    ]);
  });

  it('ends where a page has nothing new', async () => {
    const first = provider('first', [hits(1, 5), hits(1, 5), hits(6, 10)]);

    expect(await search([first], { maxResults: 50 })).toEqual(urls(1, 5));
    expect(first.asked).toHaveLength(2);
  });

  it('reads eight pages of a provider at most', async () => {
    const first = provider(
      'first',
      Array.from({ length: 20 }, (_, page) => hits(page, page)),
    );

    expect(await search([first], { maxResults: 50 })).toHaveLength(8);
  });

  it('tells each page once, whatever its address looks like', async () => {
    const told = ['http://a.test/x', 'https://a.test/x/', 'https://A.test/x?utm_source=y#z', 'https://a.test/y'];

    expect(await search([provider('first', [told.map(hit)])])).toEqual(['http://a.test/x', 'https://a.test/y']);
  });

  it('leaves out what is not credible enough, and reads on for it', async () => {
    const rules = [{ pattern: 'bad.test', score: 0.1 }];
    const scores = new CredibilityScores({ rules, defaultScore: 0.7, minScore: 0.5 });
    const first = provider('first', [[hit('https://bad.test/1'), hit('https://a.test/1')], [hit('https://a.test/2')]]);

    expect(await search([first], { maxResults: 2, scores })).toEqual(['https://a.test/1', 'https://a.test/2']);
  });

  it('gives each provider a query of its length', async () => {
    const query = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
    const [long, short] = [provider('long', [failure('timeout')], 1_000), provider('short', [hits(1, 1)], 50)];

    await search([long, short], { query });

    expect(long.asked[0]?.query).toBe(query);
    expect(short.asked[0]?.query.length).toBeLessThanOrEqual(50);
  });

  it.each<[string, SearchFailureReason[], number]>([
    ['504 where all say nothing', ['timeout', 'timeout'], 504],
    ['503 where all are asked too often', ['rate_limited', 'rate_limited'], 503],
    ['502 otherwise', ['timeout', 'refused'], 502],
  ])('is %s', async (_what, reasons, status) => {
    const providers = reasons.map((reason, index) => provider(`p${index}`, [failure(reason)]));

    await expect(search(providers)).rejects.toMatchObject({ status });
  });

  it('is 409 without a provider', async () => {
    await expect(search([])).rejects.toMatchObject({ status: 409, code: 'capability_not_supported' });
  });

  it('is 504 at its deadline, whoever is asked then', async () => {
    const [silent, second] = [provider('silent', ['silence']), provider('second', [hits(1, 1)])];

    await expect(search([silent, second], { milliseconds: 1 })).rejects.toMatchObject({ status: 504 });
    expect(second.asked).toEqual([]);
  });

  it('ends with its caller, and says nothing of the provider then', async () => {
    const leaving = new AbortController();
    const health = new ProviderHealth();
    const silent = provider('silent', ['silence']);

    const asked = search([silent], { signal: leaving.signal, health });
    leaving.abort(new Error('left'));

    await expect(asked).rejects.toThrow('left');
    expect(health.stateOf(silent)).toMatchObject({ ok: true, checkedAt: null });
  });

  it('keeps how each provider did', async () => {
    const health = new ProviderHealth();
    const providers = [provider('first', [failure('refused')]), provider('second', [hits(1, 1)])];

    await search(providers, { health });

    expect(providers.map((one) => health.stateOf(one))).toMatchObject([
      { ok: false, error: 'refused', latencyMs: expect.any(Number), checkedAt: expect.any(Date) },
      { ok: true, error: null },
    ]);
  });

  it('calls a provider degraded after one timeout, and down after two in a row or anything else that fails', async () => {
    const health = new ProviderHealth();
    const slow = provider('slow', [failure('timeout'), failure('timeout'), hits(1, 1)]);
    const refusing = provider('refusing', [failure('refused')]);
    const states: string[] = [];

    for (const one of [slow, slow, slow, refusing]) {
      await search([one], { health }).catch(() => undefined);
      states.push(health.stateOf(one).state);
    }

    expect(states).toEqual(['degraded', 'down', 'ok', 'down']);
  });

  it('waits for a place among the searches of its owner, for as long as it may take in all', async () => {
    const silent = provider(
      'silent',
      Array.from({ length: 20 }, () => 'silence' as const),
    );
    const web = new WebSearch({ providers: [silent], health: new ProviderHealth(), milliseconds: 200 });
    const { signal } = new AbortController();
    const one = (owner: string) => web.search({ query: 'anything', maxResults: 10, owner, signal });

    const all = Promise.allSettled([...Array.from({ length: 12 }, () => one('a')), one('b')]);
    await nextTurn();
    const asked = silent.asked.length;
    const outcomes = await all;

    expect(asked).toBe(9);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
      Array.from({ length: 13 }, () => expect.stringContaining('takes too long')),
    );
  });

  it('is refused where too many of its owner wait, and there alone', async () => {
    const silent = provider(
      'silent',
      Array.from({ length: 200 }, () => 'silence' as const),
    );
    const web = new WebSearch({ providers: [silent], health: new ProviderHealth() });
    const leaving = new AbortController();
    const one = (owner: string) => web.search({ query: 'anything', maxResults: 10, owner, signal: leaving.signal });
    const waiting = Promise.allSettled([...Array.from({ length: 108 }, () => one('a')), one('b')]);

    await expect(one('a')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });

    leaving.abort(new Error('gone'));
    expect((await waiting).map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
      Array.from({ length: 109 }, () => 'Error: gone'),
    );
  });

  it('does not take an error of its own for a failure of the provider', async () => {
    const broken = provider('broken', [new TypeError('a mistake')]);

    await expect(search([broken, provider('second', [hits(1, 1)])])).rejects.toThrow('a mistake');
  });
});

type Answer = readonly SearchHit[] | Error | 'silence';
type FakeProvider = SearchProvider & { readonly asked: ProviderQuery[] };

interface SearchOptions {
  readonly query?: string;
  readonly maxResults?: number;
  readonly scores?: CredibilityScores;
  readonly signal?: AbortSignal;
  readonly milliseconds?: number;
  readonly health?: ProviderHealth;
}

/** The addresses of what is found. */
async function search(providers: readonly SearchProvider[], options: SearchOptions = {}): Promise<string[]> {
  const { milliseconds, health = new ProviderHealth(), ...query } = options;
  const web = new WebSearch({ providers, health, milliseconds });
  const { signal } = new AbortController();
  const found = await web.search({ query: 'anything', maxResults: 10, owner: 'anybody', signal, ...query });
  return found.map(({ url }) => url);
}

/** A provider that gives one answer after another, and then nothing. */
function provider(name: string, answers: readonly Answer[], characters = 400): FakeProvider {
  const left = [...answers];
  const asked: ProviderQuery[] = [];
  const silence = ({ signal }: ProviderQuery): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const answer = async (question: ProviderQuery): Promise<SearchHit[]> => {
    asked.push(question);
    const next = left.shift() ?? [];
    if (next === 'silence') return silence(question);
    if (next instanceof Error) throw next;
    return [...next];
  };
  const queryLimits = { characters, words: 200 };
  return { name, queryLimits, pageSize: 10, isFree: true, asked, search: answer, close: async () => undefined };
}

function failure(reason: SearchFailureReason): SearchFailure {
  return new SearchFailure(reason);
}

function hit(url: string): SearchHit {
  return { url, title: url, snippet: '', engine: 'fake', publishedAt: null };
}

function hits(from: number, to: number): SearchHit[] {
  return urls(from, to).map(hit);
}

function urls(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `https://a.test/${from + index}`);
}
