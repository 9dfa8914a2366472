import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Reply } from '../../src/context.js';
import type { RequestContext } from '../../src/context.js';
import { Redis } from '../../src/platform/redis.js';
import { RedisTopics } from '../../src/platform/redis-topics.js';
import { RequestLimiter } from '../../src/platform/request-limiter.js';

const REDIS_URL = process.env.TEST_REDIS_URL;
const withRedis = REDIS_URL === undefined ? describe.skip : describe;
const open: Redis[] = [];

function connect(url: string): Redis {
  const redis = new Redis(url, pino({ level: 'silent' }));
  open.push(redis);
  return redis;
}

async function ready(redis: Redis): Promise<Redis> {
  while (!redis.answers) await new Promise((resolve) => setTimeout(resolve, 10));
  return redis;
}

function contextOf(userId: string): RequestContext {
  return { caller: { userId }, reply: new Reply() } as unknown as RequestContext;
}

afterEach(() => {
  for (const redis of open.splice(0)) redis.close();
});

withRedis('replicas with one Redis', () => {
  it('share the request limit of a user', async () => {
    const limiters: RequestLimiter[] = [];
    for (let replica = 0; replica < 2; replica += 1) {
      limiters.push(new RequestLimiter(10, await ready(connect(REDIS_URL ?? ''))));
    }
    const user = randomUUID();

    const counted = Array.from({ length: 30 }, (_, index) => limiters[index % 2]?.count(contextOf(user)));
    const results = await Promise.allSettled(counted);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining-requests': '0' } });
  });

  it('hear what another has published', async () => {
    const [here, there] = [await ready(connect(REDIS_URL ?? '')), await ready(connect(REDIS_URL ?? ''))];
    const topic = randomUUID();
    const messages = new RedisTopics(here).subscribe(topic);
    const heard = messages.next();
    const elsewhere = new RedisTopics(there);

    // Subscribing takes a moment; what is published before that is for nobody.
    const timer = setInterval(() => elsewhere.publish(topic, { id: 'one' }), 20);
    const { value } = await heard;
    clearInterval(timer);
    await messages.return?.();

    expect(value).toEqual({ id: 'one' });
  });
});

describe('a process whose Redis is gone', () => {
  it('counts for itself, and hears itself', async () => {
    const redis = connect('redis://127.0.0.1:1');
    const limiter = new RequestLimiter(2, redis);
    const topics = new RedisTopics(redis);
    const messages = topics.subscribe('news');
    const heard = messages.next();

    const results = await Promise.allSettled([1, 2, 3].map(() => limiter.count(contextOf('usr_1'))));
    topics.publish('news', 'hello');

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await heard).value).toBe('hello');
    await messages.return?.();
  });
});
