import { expect, it } from '@jest/globals';
import { response } from '../../support/builders/response-streams.js';
import { startGateway } from '../../support/servers/gateway.js';

it('a continue is refused within four seconds where Redis is away', async () => {
  const gateway = await startGateway({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  gateway.backend.answer(response('One.'));
  const first = await gateway.respond();

  const startedAt = performance.now();
  const { status } = await gateway.respond({}, `/${first.body.id}/continue`);
  const milliseconds = performance.now() - startedAt;
  await gateway.close();

  expect(status).toBe(503);
  expect(milliseconds).toBeLessThan(4_000);
});
