import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/servers/platform.js';
import type { RestAnswer } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const INLINE = /<script>([\s\S]*?)<\/script>/g;

describe('the web pages of the documentation', () => {
  const platform = usePlatform();

  it.each(['/docs', '/graphiql'])(
    '%s is public, loads nothing from elsewhere, and runs its own scripts alone',
    async (path) => {
      const answer = await platform.request('GET', path);

      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = policyOf(answer);
      expect(policy.get('default-src')).toEqual([`'none'`]);
      expect([...policy.values()].flat().join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
      expect(policy.get('script-src')).toEqual([`'self'`, ...inlineHashes(answer.body)]);
      const tags = (answer.body as string).replaceAll(INLINE, '');
      for (const [, url] of tags.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]*)"/g)) {
        expect(url).toMatch(/^(\/docs\/|data:)/);
      }
    },
  );

  it('keep to themselves, and answers of the API have nothing of it', async () => {
    const own = {
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-permitted-cross-domain-policies': 'none',
    };

    const pages = [await platform.request('GET', '/docs'), await platform.request('GET', '/graphiql')];
    const answers = [await platform.request('GET', '/health'), await platform.request('GET', '/v1/models')];

    const namesOf = ({ headers }: RestAnswer) => Object.keys(own).map((name) => [name, headers.get(name)]);
    for (const page of pages) {
      expect(Object.fromEntries(namesOf(page))).toEqual(own);
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      // Over TLS alone, as on every other answer.
      expect(page.headers.get('strict-transport-security')).toBeNull();
    }
    for (const answer of answers) expect(namesOf(answer).filter(([, value]) => value !== null)).toEqual([]);
  });

  it('has every file that the page of the API loads', async () => {
    const page = (await platform.request('GET', '/docs')).body as string;
    const files = [...page.matchAll(/"(\/docs\/[^"]+)"/g)].map(([, file = '']) => file);

    const answers = await Promise.all(files.map((file) => platform.request('GET', file)));

    expect(files).toHaveLength(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
      'text/css',
      'text/javascript',
    ]);
  });

  it('describes the API at /openapi.json for everyone', async () => {
    const { status, body } = await platform.request('GET', '/openapi.json');

    expect([status, body.info.version]).toEqual([200, '1.2.4']);
  });

  it('has no editor for GraphQL in production', async () => {
    const production = await startPlatform({ NODE_ENV: 'production' });

    const graphiql = await production.request('GET', '/graphiql');
    const docs = await production.request('GET', '/docs');
    await production.close();

    expect([graphiql.status, graphiql.body.error.code, docs.status]).toEqual([404, 'not_found', 200]);
  });
});

function policyOf({ headers }: RestAnswer): Map<string, string[]> {
  const directives = headers.get('content-security-policy')?.split(/; ?/) ?? [];
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

function inlineHashes(html: string): string[] {
  const scripts = [...html.matchAll(INLINE)].map(([, script = '']) => script);
  return scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
