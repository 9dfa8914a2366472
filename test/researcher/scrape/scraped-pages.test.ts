import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';

describe('POST /v1/researcher/scrape', () => {
  let bed: ResearchBed;
  beforeAll(async () => void (bed = await ResearchBed.start(PAGES)));
  afterAll(() => bed.close());

  it.each([
    ['markdown', '# Guide'],
    ['text', 'Guide'],
    ['html', '<h1>Guide</h1>'],
  ])('tells a page as %s', async (format, begin) => {
    const url = bed.site.url('/guide');

    const { status, body } = await bed.post('scrape', { url, format });

    expect(status).toBe(200);
    expect(body.object).toBe('researcher.scrape');
    expect(body.pages).toEqual([
      {
        url,
        final_url: url,
        title: 'Guide',
        byline: null,
        text: expect.stringContaining('The bridge is 412 metres long'),
        language: 'en',
        published_at: null,
        fetched_at: expect.stringMatching(/Z$/),
        links: [{ url: bed.site.url('/next'), text: 'next' }],
        credibility: null,
        reason: null,
      },
    ]);
    expect(body.pages[0].text).toContain(begin);
  });

  it('has nothing of the page that a browser would do', async () => {
    const { body } = await bed.post('scrape', { url: bed.site.url('/hostile'), format: 'html' });

    expect(body.pages[0].text).toContain('A guide to bridges');
    expect(body.pages[0].text).not.toMatch(/<script|<img|onerror|javascript:|<iframe/i);
  });

  it('tells of each page why it was not read, in the order in which they were asked for', async () => {
    const urls = [
      bed.site.url('/missing'),
      'http://169.254.169.254/latest/meta-data',
      bed.site.url('/guide'),
      'ftp://a.test/',
      'nothing',
      'http://[::ffff:10.0.0.1]/',
    ];

    const { status, body } = await bed.post('scrape', { urls });

    expect(status).toBe(200);
    expect(body.pages.map(({ url, reason }: { url: string; reason: string }) => [url, reason])).toEqual([
      [urls[0], 'http_error'],
      [urls[1], 'blocked_address'],
      [urls[2], null],
      [urls[3], 'invalid_url'],
      [urls[4], 'invalid_url'],
      [urls[5], 'blocked_address'],
    ]);
  });

  it.each([
    ['url', {}],
    ['urls', { url: 'https://a.test', urls: ['https://a.test'] }],
    ['urls', { urls: [] }],
    ['urls', { urls: Array.from({ length: 21 }, (_, n) => `https://a.test/${n}`) }],
    ['format', { url: 'https://a.test', format: 'pdf' }],
  ])('names what is wrong: %s', async (param, body) => {
    const { status, body: answer } = await bed.post('scrape', body);

    expect([status, answer.error.param]).toEqual([400, param]);
  });
});

const PAGES = {
  '/guide': articleOf(
    'Guide',
    'The bridge is 412 metres long, and the <a href="/next">next</a> one is longer than that.',
  ),
  '/hostile': articleOf(
    'Guide',
    'A guide to bridges, with what nobody wants: <script>alert(1)</script><img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">A link that does something</a>, and &lt;script&gt;alert(2)&lt;/script&gt; as a text.',
    '<iframe src="https://evil.test"></iframe>',
  ),
};
