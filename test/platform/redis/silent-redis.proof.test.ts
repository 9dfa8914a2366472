import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { RateCounter } from '../../../src/platform/cluster/rate-counter.js';
import { RedisConnections } from '../../support/servers/redis-connections.js';
import { RedisProxy } from '../../support/servers/redis-proxy.js';
import { onRedis, REDIS_URL } from '../../support/servers/services.js';

onRedis.it('a process whose Redis is silent waits 2 s at most', async () => {
  const connections = new RedisConnections();
  const proxy = await RedisProxy.start(REDIS_URL ?? '');
  const redis = await connections.openReady(proxy.url);
  const counter = new RateCounter('silent', 6, { redis, processes: () => 3 });

  proxy.isSilent = true;
  const silentAt = performance.now();
  await Promise.allSettled([counter.take(randomUUID()), redis.get('anything')]);
  const waited = performance.now() - silentAt;
  connections.closeAll();
  proxy.answerAgain();
  proxy.close();

  expect(waited).toBeLessThan(2_500);
});
