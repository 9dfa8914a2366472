import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';

/** The endpoints of the specification and of its additions that exist so far; the rest is in the README's table. */
const ENDPOINTS = JSON.parse(readFileSync(new URL('../fixtures/endpoints.json', import.meta.url), 'utf8')) as readonly {
  readonly method: string;
  readonly path: string;
  readonly class: 'public' | 'bearer' | 'jwt' | 'admin';
}[];

describe('the REST documents', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  it('serve every endpoint of the specification that is built, and nothing else', () => {
    const served = new Set(platform.app.endpoints.map(({ method, path }) => `${method} ${path}`));

    expect([...served].sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('have one operation for each path, method and condition', () => {
    const keys = platform.app.endpoints.map(({ method, path, when }) => `${method} ${path} ${when?.name ?? ''}`);

    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(ENDPOINTS)('ask for what the specification says: $method $path is $class', async (endpoint) => {
    const path = endpoint.path.replace(/\{\w+\}/g, 'ten_01h45ytscbebyvny4gc8cr8ma2');
    const body = endpoint.method === 'GET' ? undefined : {};

    const { status } = await platform.request(endpoint.method, path, { body });

    if (endpoint.class === 'public') expect(status).not.toBe(401);
    else expect(status).toBe(401);
  });
});
