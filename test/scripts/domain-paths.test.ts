import { describe, expect, it } from '@jest/globals';
import { routeByDomain, toNginxMap } from '../../scripts/domain-paths.js';

describe('the rules that send paths to domains', () => {
  it('are the fewest: the shortest path below which one domain serves all', () => {
    const rules = routeByDomain([
      { domain: 'things', path: '/v1/things/{id}/parts' },
      { domain: 'things', path: '/v1/things' },
      { domain: 'users', path: '/v1/admin/users/{id}' },
      { domain: 'users', path: '/v1/admin/users' },
      { domain: 'quotas', path: '/v1/admin/users/{userId}/quota' },
    ]);

    expect(rules).toEqual([
      { domain: 'users', path: '/v1/admin/users' },
      { domain: 'quotas', path: '/v1/admin/users/{id}/quota' },
      { domain: 'things', path: '/v1/things' },
    ]);
  });

  it('prefer names to variables, and longer paths to shorter ones, for nginx too', () => {
    const map = toNginxMap(
      routeByDomain([
        { domain: 'one', path: '/v1/things/{id}' },
        { domain: 'two', path: '/v1/things/latest' },
        { domain: 'three', path: '/v1/things/{id}/parts' },
      ]),
    );
    const entries = [...map.matchAll(/^~(\S+) (\w+);$/gm)];
    const domainOf = (target: string) => entries.find(([, pattern = '']) => new RegExp(pattern).test(target))?.[2];

    const targets = ['/v1/things/1', '/v1/things/latest?a=/', '/v1/things/1/parts', '/v1/things/a%2Fb', '/v1/thingsX'];
    expect(targets.map(domainOf)).toEqual(['one', 'two', 'three', 'one', undefined]);
  });

  it('cannot be made where two domains serve one path', () => {
    const paths = [
      { domain: 'users', path: '/v1/users/{id}' },
      { domain: 'quotas', path: '/v1/users/{userId}' },
    ];

    expect(() => routeByDomain(paths)).toThrow('/v1/users/{userId} is served by two domains.');
  });
});
