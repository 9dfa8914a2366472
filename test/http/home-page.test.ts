import { describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('the address of the server', () => {
  const platform = usePlatform();

  it('shows people a page, whose links lead to what the server has', async () => {
    const page = await platform.request('GET', '/', { headers: { accept: BROWSER } });

    const links = linksIn(page.body);
    const answers = await Promise.all(links.map((link) => platform.request('GET', `/${link}`)));

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(links).toEqual(['account', 'docs', 'graphiql', 'health']);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';script-src;/);
    expect(page.headers.get('vary')).toMatch(/accept/i);
  });

  it('leads in production, and without accounts, to nothing that is not there', async () => {
    const bare = await startPlatform({ NODE_ENV: 'production', DOMAINS: 'inference' });

    const { body } = await bare.request('GET', '/');
    const answers = await Promise.all(['/account', '/dashboard'].map((path) => bare.request('GET', path)));
    await bare.close();

    expect(linksIn(body)).toEqual(['docs', 'health']);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('answers clients that want JSON with an error object, and other methods as every path does', async () => {
    const json = await platform.request('GET', '/', { headers: { accept: 'application/json' } });
    const head = await platform.request('HEAD', '/', { headers: { accept: BROWSER } });
    const post = await platform.request('POST', '/', { body: {} });

    expect([json.status, json.body.error.code]).toEqual([404, 'not_found']);
    expect(head.status).toBe(200);
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a href="(.+?)">/g)].map(([, link = '']) => link);
}
