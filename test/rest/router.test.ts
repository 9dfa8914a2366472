import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from '../../src/rest/endpoint.js';
import { Router } from '../../src/rest/router.js';

const router = new Router([
  endpoint('get', 'GET', '/v1/things/{id}'),
  endpoint('latest', 'GET', '/v1/things/latest'),
  endpoint('patch', 'PATCH', '/v1/things/{thing_id}'),
  endpoint('parts', 'GET', '/v1/things/{id}/parts/{part}'),
  endpoint('plain', 'POST', '/v1/things'),
  endpoint('streamed', 'POST', '/v1/things', { name: 'stream' }),
]);

describe('the router', () => {
  it('prefers literal segments to variable ones', () => {
    expect(names('GET', '/v1/things/latest')).toEqual([['latest'], {}]);
    expect(names('GET', '/v1/things/one')).toEqual([['get'], { id: 'one' }]);
    expect(names('GET', '/v1/things/latest/parts/2')).toEqual([['parts'], { id: 'latest', part: '2' }]);
  });

  it('names the variables as the operation of that method does', () => {
    expect(names('PATCH', '/v1/things/one')).toEqual([['patch'], { thing_id: 'one' }]);
  });

  it('offers conditional operations first', () => {
    expect(names('POST', '/v1/things')).toEqual([['streamed', 'plain'], {}]);
  });

  it('decodes segments, and finds nothing where they cannot be decoded or are empty', () => {
    expect(names('GET', '/v1/things/a%2Fb')).toEqual([['get'], { id: 'a/b' }]);
    expect(names('GET', '/v1/things/%E0%A4%A')).toBeUndefined();
    expect(names('GET', '/v1/things/')).toBeUndefined();
  });

  it('tells the methods of a path that has no such method', () => {
    expect(names('DELETE', '/v1/things/one')).toEqual(['GET', 'HEAD', 'PATCH']);
    expect(names('DELETE', '/v1/nothing')).toBeUndefined();
    expect(names('GET', '/v1/things/one/parts')).toBeUndefined();
  });

  it('answers HEAD as GET', () => {
    expect(names('HEAD', '/v1/things/one')).toEqual([['get'], { id: 'one' }]);
  });
});

function endpoint(name: string, method: Endpoint['method'], path: string, when?: Endpoint['when']): Endpoint {
  return { name, method, path, when } as Endpoint;
}

function names(method: string, path: string): unknown {
  const match = router.match(method, path);
  if (!match) return undefined;
  return 'allow' in match ? match.allow : [match.endpoints.map((entry) => entry.name), match.params];
}
