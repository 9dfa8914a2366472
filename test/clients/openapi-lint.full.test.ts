import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('the OpenAPI description', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  it('is lint-clean', async () => {
    const { body } = await platform.request('GET', '/openapi.json');
    // What sends a browser on has a 302 in place of a 2xx: test/rest/openapi.test.ts.
    const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } });

    const problems = await lintFromString({ source: JSON.stringify(body), absoluteRef: 'openapi.json', config });

    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });
});
