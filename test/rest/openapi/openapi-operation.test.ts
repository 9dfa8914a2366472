import { expect, it } from '@jest/globals';
import type { OpenapiDocument } from '../../../src/rest/openapi/openapi.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const platform = usePlatform();

it('a described operation promises a replay where it takes an Idempotency-Key, and nowhere else', async () => {
  const { paths }: OpenapiDocument = (await platform.request('GET', '/openapi.json')).body;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const texts = operations.map((operation) => JSON.stringify(operation));

  const takes = texts.map((text) => text.includes('parameters/idempotency-key'));
  const promises = texts.map((text) => text.includes('headers/idempotency-replayed'));

  expect(promises).toEqual(takes);
  expect(new Set(takes)).toEqual(new Set([true, false]));
});
