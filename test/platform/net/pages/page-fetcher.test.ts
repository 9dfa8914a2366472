import { setImmediate as turn } from 'node:timers/promises';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, jest } from '@jest/globals';
import { RequestTurns } from '../../../../src/platform/net/pages/request-turns.js';
import { eventually } from '../../../support/probes/eventually.js';
import { NameServer } from '../../../support/servers/name-server.js';
import { openFetcher, outcomeOf, redirectTo, WebSite } from '../../../support/servers/web-site.js';
import type { Route } from '../../../support/servers/web-site.js';

const { signal } = new AbortController();
const sites: WebSite[] = [];

afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())));

describe('a page', () => {
  test('is fetched as it is, with where it came from', async () => {
    await using fetcher = openFetcher();
    const site = await siteOf({
      '/a?b=1': { headers: { 'content-type': 'Text/HTML; Charset="KOI8-R"' }, body: Buffer.from([0xc1, 0xc2]) },
    });

    const page = await fetcher.fetch(site.url('/a?b=1#part'), { signal });

    expect(page).toEqual({
      url: site.url('/a?b=1#part'),
      finalUrl: site.url('/a?b=1'),
      status: 200,
      mediaType: 'text/html',
      charset: 'KOI8-R',
      body: Buffer.from([0xc1, 0xc2]),
      fetchedAt: expect.any(Date),
    });
    expect(site.requests[1]?.headers).toMatchObject({
      'user-agent': 'TestBot/1.0',
      'accept-encoding': 'gzip, deflate',
    });
  });

  test.each([
    ['none', Buffer.from],
    ['identity', Buffer.from],
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('is decoded from %s', async (coding, encode) => {
    await using fetcher = openFetcher();
    const text = 'The tide turns twice a day. '.repeat(50_000);
    const headers: Record<string, string> = coding === 'none' ? {} : { 'content-encoding': coding };
    const site = await siteOf({ '/': { headers, body: (encode as (text: string) => Buffer)(text) } });

    const { body } = await fetcher.fetch(site.url('/'), { signal });

    expect(body.equals(Buffer.from(text))).toBe(true);
  });

  test.each([
    ['text/html', '<p>', 'text/html'],
    ['application/xhtml+xml;charset=utf-8', '<p>', 'application/xhtml+xml'],
    ['text/plain', 'a', 'text/plain'],
    ['application/pdf', '%PDF-1.7', 'application/pdf'],
    ['text/html; charset=utf-8', '%PDF-1.3', 'application/pdf'],
    ['text/plain', '\n%PDF-1.3', 'application/pdf'],
    ['text/html', 'PK\u0003\u0004\u0000', 'unsupported_type'],
    ['text/plain', '\u0089PNG\r\n\u001a\n\u0000\u0000', 'unsupported_type'],
    ['text/html', '{\\rtf1 A text.}', 'unsupported_type'],
    ['text/html; charset=utf-16le', '<\0p\0>\0a\0', 'text/html'],
    ['text/html', `<p>A page with \u0002 by mistake.${' And more of it.'.repeat(10)}`, 'text/html'],
    ['', '<!doctype html><p>', 'text/html'],
    ['', '%PDF-1.7', 'application/pdf'],
    ['', 'A text.', 'text/plain'],
    ['', 'PK\u0003\u0004\u0000', 'unsupported_type'],
    ['image/png', 'a', 'unsupported_type'],
    ['application/json', '{}', 'unsupported_type'],
    ['nonsense', 'a', 'unsupported_type'],
  ])('of type "%s" that begins with %j is %s', async (type, body, expected) => {
    await using fetcher = openFetcher();
    const site = await siteOf({
      '/': (_, response) => response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
    });

    const fetching = fetcher.fetch(site.url('/'), { signal });

    const got = await fetching.then(
      ({ mediaType }) => mediaType,
      ({ reason }: { reason: string }) => reason,
    );
    expect(got).toBe(expected);
  });

  test.each([301, 302, 303, 307, 308])('is found behind a redirect with %d', async (status) => {
    await using fetcher = openFetcher();
    const site = await siteOf({ '/a/b': redirectTo('../c?d#e', status), '/c?d': { body: 'found' } });

    const page = await fetcher.fetch(site.url('/a/b'), { signal });

    expect([page.finalUrl, page.body.toString()]).toEqual([site.url('/c?d'), 'found']);
  });

  test('is found behind five redirects, and not behind six', async () => {
    await using fetcher = openFetcher();
    const steps = Array.from({ length: 6 }, (_, at) => [`/${at}`, redirectTo(`/${at + 1}`)] as const);
    const site = await siteOf({ ...Object.fromEntries(steps), '/6': { body: 'found' } });

    const outcomes = [
      await outcomeOf(fetcher.fetch(site.url('/1'), { signal })),
      await outcomeOf(fetcher.fetch(site.url('/0'), { signal })),
    ];

    expect(outcomes).toEqual(['fetched', 'too_many_redirects']);
  });

  test.each([400, 403, 404, 410, 500, 304])('is refused where the host answers %d', async (status) => {
    await using fetcher = openFetcher();
    const site = await siteOf({ '/': { status } });

    expect(await outcomeOf(fetcher.fetch(site.url('/'), { signal }))).toEqual(['http_error', status]);
  });

  test('is given up when its reader leaves, with the reason', async () => {
    await using fetcher = openFetcher();
    const leaving = new AbortController();
    const site = await siteOf({ '/': () => leaving.abort(new Error('left')) });

    await expect(fetcher.fetch(site.url('/'), { signal: leaving.signal })).rejects.toThrow('left');
    await expect(fetcher.fetch(site.url('/'), { signal: leaving.signal })).rejects.toThrow('left');
  });
});

describe('what a host wants', () => {
  test.each<[string, Route, unknown]>([
    ['forbids it', { body: 'User-agent: testbot\nDisallow: /a' }, 'robots'],
    ['forbids something else', { body: 'User-agent: *\nDisallow: /b' }, 'fetched'],
    ['is not there', { status: 404 }, 'fetched'],
    ['is forbidden itself', { status: 403 }, 'fetched'],
    ['fails', { status: 500 }, 'robots'],
    ['is elsewhere', redirectTo('/other'), 'robots'],
    ['leads in a circle', redirectTo('/robots.txt'), 'fetched'],
    ['leads to no page', redirectTo('ftp://a.test/'), 'robots'],
    ['is encoded in two ways', { headers: { 'content-encoding': 'gzip, gzip' }, body: 'x' }, 'robots'],
    ['forbids it behind 500 KiB', { body: `${'#'.repeat(512_000)}\nUser-agent: *\nDisallow: /` }, 'fetched'],
    [
      'is cut within a line',
      { body: `User-agent: *\nDisallow: /a/b${' '.repeat(511_960)}\nDisallow: /${'a'.repeat(100)}` },
      'fetched',
    ],
  ])('is asked for first: its robots.txt %s', async (_, robots, expected) => {
    await using fetcher = openFetcher();
    const site = await siteOf({
      '/robots.txt': robots,
      '/other': { body: 'User-agent: *\nDisallow: /' },
      '/a': { body: 'a' },
    });

    const outcome = await outcomeOf(fetcher.fetch(site.url('/a'), { signal }));

    expect([outcome, site.pages.includes('/a')]).toEqual([expected, expected === 'fetched']);
  });

  test('is asked for once for many pages, and for the host of a redirect', async () => {
    await using fetcher = openFetcher();
    const other = await siteOf({ '/robots.txt': { body: 'User-agent: *\nDisallow: /x' }, '/x': { body: 'x' } });
    const site = await siteOf({ '/a': { body: 'a' }, '/b': { body: 'b' }, '/x': redirectTo(other.url('/x')) });

    const outcomes = await Promise.all(
      ['/a', '/b', '/x'].map((path) => outcomeOf(fetcher.fetch(site.url(path), { signal }))),
    );

    expect(outcomes).toEqual(['fetched', 'fetched', 'robots']);
    expect(site.requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1);
    expect(other.pages).toEqual([]);
  });

  test('is still waited for where the first who asked has left', async () => {
    await using fetcher = openFetcher();
    const leaving = new AbortController();
    const hasLeft = Promise.withResolvers<void>();
    const site = await siteOf({
      '/robots.txt': (_, response) => {
        leaving.abort(new Error('left'));
        void hasLeft.promise.then(() => response.writeHead(404).end());
      },
      '/a': { body: 'a' },
    });

    const first = outcomeOf(fetcher.fetch(site.url('/a'), { signal: leaving.signal }));
    const second = outcomeOf(fetcher.fetch(site.url('/a'), { signal }));
    const outcome = await first;
    hasLeft.resolve();

    expect([outcome, await second]).toEqual([undefined, 'fetched']);
  });

  test('one request at a time', async () => {
    await using fetcher = openFetcher();
    // Others that were under way would come meanwhile.
    const slow: Route = async (_, response) => {
      for (let turns = 0; turns < 100; turns += 1) await turn();
      response.writeHead(200, HTML).end('a');
    };
    const paths = Array.from({ length: 8 }, (_, at) => `/${at}`);
    const site = await siteOf(Object.fromEntries(paths.map((path) => [path, slow])));

    await Promise.all(paths.map((path) => fetcher.fetch(site.url(path), { signal, owner: path })));

    expect([site.pages.length, site.mostAtOnce]).toEqual([8, 1]);
  });

  test('is not kept by an owner whose other pages are slow: others have their turn', async () => {
    const hosts = Array.from({ length: 20 }, (_, at) => `silent${at}.test`);
    const names = await NameServer.start(
      Object.fromEntries([...hosts, 'known.test', 'new.test'].map((host) => [host, [['127.0.0.1']]])),
    );
    await using fetcher = openFetcher({ nameServers: [names.address] });
    const site = await siteOf({ '/silent': () => undefined, '/a': { body: 'a' } });
    const get = (host: string, path: string, owner: string) =>
      outcomeOf(fetcher.fetch(`http://${host}:${site.port}${path}`, { signal, owner }));
    await get('known.test', '/a', 'b');

    for (const host of hosts) void get(host, '/silent', 'a');
    await eventually('all places of one owner are taken', 10, () => site.pages.length > 16);
    for (const host of ['known.test', 'new.test']) void get(host, '/a', 'a');
    const outcomes = await Promise.all(['known.test', 'new.test'].map((host) => get(host, '/a', 'b')));
    names.close();

    expect(outcomes).toEqual(['fetched', 'fetched']);
    expect(site.pages.filter((path) => path === '/a')).toHaveLength(3);
  });

  test('a pause between two requests', async () => {
    await using fetcher = openFetcher();
    const site = await siteOf({
      '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 0.3' },
      '/a': { body: 'a' },
      '/b': { body: 'b' },
    });

    const pause = jest.spyOn(RequestTurns.prototype, 'pause');

    await Promise.all(['/a', '/b'].map((path) => fetcher.fetch(site.url(path), { signal })));
    const pauses = pause.mock.calls.map(([, milliseconds]) => milliseconds);
    pause.mockRestore();

    expect(site.pages.toSorted()).toEqual(['/a', '/b']);
    expect(pauses.filter((milliseconds) => milliseconds === 300).length).toBeGreaterThanOrEqual(1);
  });

  test.each([429, 503])('patience: it is asked again after %d', async (status) => {
    await using fetcher = openFetcher();
    let times = 0;
    const site = await siteOf({
      '/a': (_, response) => {
        times += 1;
        if (times === 1) response.writeHead(status, { 'retry-after': '1' }).end();
        else response.writeHead(200, HTML).end('a');
      },
    });

    expect(await outcomeOf(fetcher.fetch(site.url('/a'), { signal }))).toBe('fetched');
    expect(site.pages).toEqual(['/a', '/a']);
  });

  test('more patience than there is time: nobody asks it any more', async () => {
    await using fetcher = openFetcher();
    const site = await siteOf({ '/a': { status: 429, headers: { 'retry-after': '3600' } }, '/b': { body: 'b' } });

    const outcomes = [
      await outcomeOf(fetcher.fetch(site.url('/a'), { signal })),
      await outcomeOf(fetcher.fetch(site.url('/b'), { signal })),
    ];

    expect(outcomes).toEqual([['http_error', 429], 'host_busy']);
    expect(site.pages).toEqual(['/a']);
  });
});

describe('a name', () => {
  test('that turns to another address between two requests is not followed there', async () => {
    const names = await NameServer.start({ 'turning.test': [['127.0.0.1'], ['127.0.0.2']] });
    await using fetcher = openFetcher({ nameServers: [names.address] });
    const site = await siteOf({ '/robots.txt': { status: 404, headers: { connection: 'close' } } });

    const outcome = await outcomeOf(fetcher.fetch(`http://turning.test:${site.port}/a`, { signal }));
    names.close();

    expect([outcome, site.pages]).toEqual(['blocked_address', []]);
  });
});

const HTML = { 'content-type': 'text/html' };

async function siteOf(routes: Readonly<Record<string, Route>>): Promise<WebSite> {
  const site = await WebSite.start(routes);
  sites.push(site);
  return site;
}
