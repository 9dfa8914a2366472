import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

/** Every endpoint that exists so far; what does not is in the README's table. */
const ENDPOINTS = JSON.parse(
  readFileSync(new URL('../fixtures/endpoints.json', import.meta.url), 'utf8'),
) as readonly Listed[];
const MANUAL = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

describe('the REST documents', () => {
  const platform = usePlatform();

  it('serve every endpoint that is listed, and nothing else', () => {
    const served = new Set(platform.app.endpoints.map(({ method, path }) => `${method} ${path}`));

    expect([...served].sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('are all in the table of docs/api.md, with the class of their credential', () => {
    const rows = [...MANUAL.matchAll(/^\| ([A-Z]+) \| (\/v1\/\S+) \| (\w+)/gm)];

    const described = rows.map(([, method, path, credential]) => ({
      method,
      path,
      class: credential === 'sysadmin' ? 'admin' : credential,
    }));

    expect(new Set(described.map((row) => JSON.stringify(row)))).toEqual(
      new Set(ENDPOINTS.map((endpoint) => JSON.stringify(endpoint))),
    );
  });

  it('have one operation for each path, method and condition', () => {
    const keys = platform.app.endpoints.map(({ method, path, when }) => JSON.stringify([method, path, when]));

    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(ENDPOINTS)('ask for the credential of their class: $method $path is $class', async (endpoint) => {
    const path = endpoint.path.replace(/\{\w+\}/g, 'ten_01h45ytscbebyvny4gc8cr8ma2');
    const body = endpoint.method === 'GET' ? undefined : {};

    const { status } = await platform.request(endpoint.method, path, { body });

    if (endpoint.class === 'public') expect(status).not.toBe(401);
    else expect(status).toBe(401);
  });
});

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly class: 'public' | 'bearer' | 'jwt' | 'admin';
}
