import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisTopics } from '../../../src/platform/cluster/redis-topics.js';
import { RateCounter } from '../../../src/platform/cluster/rate-counter.js';
import { eventually } from '../../support/probes/eventually.js';
import { onRedis, REDIS_URL } from '../../support/servers/services.js';
import { RedisProxy } from '../../support/servers/redis-proxy.js';
import { RedisConnections } from '../../support/servers/redis-connections.js';
import { StreamSlots } from '../../../src/platform/cluster/stream-slots.js';

const connections = new RedisConnections();

afterEach(() => connections.closeAll());

onRedis.describe('replicas with one Redis', () => {
  it('count together', async () => {
    const counters: RateCounter[] = [];
    for (let replica = 0; replica < 2; replica += 1) {
      counters.push(
        new RateCounter('test', 10, { redis: await connections.openReady(REDIS_URL ?? ''), processes: () => 2 }),
      );
    }
    const user = randomUUID();

    const counts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (counters[index % 2] as RateCounter).take(user)),
    );

    expect(counts.filter(({ isRefused }) => !isRefused)).toHaveLength(10);
    expect(counts.find(({ isRefused }) => isRefused)).toMatchObject({ limit: 10, remaining: 0 });
  });

  it('share the places of streams, and drop those of a process that has died', async () => {
    const [user, alive, dead] = [randomUUID(), randomUUID(), randomUUID()];
    const redis = await connections.openReady(REDIS_URL ?? '');
    const sharing = { redis, processes: () => 2 };
    const [here, there] = [new StreamSlots(alive, sharing), new StreamSlots(dead, sharing)];
    for (const id of [alive, dead]) await redis.setForSeconds(`process:${id}`, Buffer.from('alive'), 6);

    const taken = [await here.take(user, 3), await there.take(user, 3), await here.take(user, 3)];
    const refused = [await here.take(user, 3), await there.take(user, 3)];
    taken[0]?.();
    const again = await here.take(user, 3);
    await redis.run("return redis.call('DEL', KEYS[1])", [`process:${dead}`], []);
    const afterDeath = await here.take(user, 3);

    expect([...taken, again, afterDeath].map((close) => typeof close)).toEqual(Array(5).fill('function'));
    expect(refused).toEqual([undefined, undefined]);
  });

  it('hear what another has published', async () => {
    const [here, there] = [await connections.openReady(REDIS_URL ?? ''), await connections.openReady(REDIS_URL ?? '')];
    const topic = randomUUID();
    const heard = Promise.withResolvers<unknown>();
    const end = new RedisTopics(here).subscribe(topic, heard.resolve);
    const elsewhere = new RedisTopics(there);

    // Subscribing takes a moment; what is published before that is for nobody.
    const timer = setInterval(() => elsewhere.publish(topic, { id: 'one' }), 20);
    const message = await heard.promise;
    clearInterval(timer);
    end();

    expect(message).toEqual({ id: 'one' });
  });
});

describe('the state of a Redis', () => {
  it('that takes connections and says nothing is degraded, and then down', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const redis = connections.open(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);

    const first = redis.state;
    await eventually('it is down', 20, () => redis.state === 'down');
    redis.close();
    for (const socket of sockets) socket.destroy();
    silent.close();

    expect(first).toBe('degraded');
  });

  it('that refuses connections is down with the first of them', async () => {
    const redis = connections.open('redis://127.0.0.1:1');

    await eventually('it is down', 20, () => redis.state === 'down');

    expect(redis.isReady).toBe(false);
  });
});

onRedis.describe('a process whose Redis is silent', () => {
  it('counts on by itself, and goes on when Redis answers again', async () => {
    const proxy = await RedisProxy.start(REDIS_URL ?? '');
    const redis = await connections.openReady(proxy.url);
    const counter = new RateCounter('silent', 6, { redis, processes: () => 3 });

    proxy.isSilent = true;
    const [count, read] = await Promise.allSettled([counter.take(randomUUID()), redis.get('anything')]);
    proxy.answerAgain();
    await eventually('Redis is ready', 10, () => redis.isReady);
    const again = await counter.take(randomUUID());
    redis.close();
    proxy.close();

    expect(count).toMatchObject({ status: 'fulfilled', value: { limit: 2 } });
    expect(read).toMatchObject({ status: 'rejected' });
    expect(again).toMatchObject({ isRefused: false, limit: 6 });
  });
});

describe('a process whose Redis is gone', () => {
  it('allows its share of a limit, and hears itself', async () => {
    const redis = connections.open('redis://127.0.0.1:1');
    const sharing = { redis, processes: () => 3 };
    const counter = new RateCounter('test', 6, sharing);
    const slots = new StreamSlots(randomUUID(), sharing);
    const topics = new RedisTopics(redis);
    const heard = Promise.withResolvers<unknown>();
    const end = topics.subscribe('news', heard.resolve);

    const counts = [];
    for (let times = 0; times < 3; times += 1) counts.push(await counter.take('usr_1'));
    const places = [await slots.take('usr_1', 3), await slots.take('usr_1', 3)];
    topics.publish('news', 'hello');

    expect(counts.map(({ isRefused, limit }) => [isRefused, limit])).toEqual([
      [false, 2],
      [false, 2],
      [true, 2],
    ]);
    expect(places.map((close) => typeof close)).toEqual(['function', 'undefined']);
    expect(await heard.promise).toBe('hello');
    end();
  });
});
