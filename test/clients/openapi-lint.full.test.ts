import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { usePlatform } from '../support/servers/use-servers.js';

describe('the OpenAPI description', () => {
  const platform = usePlatform();

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
