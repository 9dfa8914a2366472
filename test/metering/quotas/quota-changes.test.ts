import { describe, expect, it, jest } from '@jest/globals';
import { wsClient } from '../../support/builders/graphql-clients.js';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { useGateway } from '../../support/servers/use-servers.js';
import { QuotaNotifier } from '../../../src/metering/quotas/quota-notifier.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import type { Listener } from '../../../src/platform/cluster/topics.js';
import type { Caller } from '../../../src/access/caller.js';

describe('the subscription to a quota', () => {
  const gateway = useGateway();

  it('tells how it stands, and again when own calls are settled', async () => {
    const other = await addSignedInUser(gateway.platform);
    const client = wsClient({ url: gateway.platform.url, token: gateway.token });
    const changes = client.iterate<Told>({ query: 'subscription { quotaUpdated { usage { requests tokens } } }' });
    const read = async () => (await changes.next()).value.data.quotaUpdated.usage;

    const first = await read();
    await gateway.chat({}, { token: other.token });
    await Promise.all([gateway.chat(), gateway.chat(), gateway.chat()]);
    const second = await read();
    await gateway.chat();
    const third = await read();
    await changes.return?.();
    await client.dispose();

    expect([first, second, third]).toEqual([
      { requests: 0, tokens: 0 },
      { requests: 3, tokens: 30 },
      { requests: 4, tokens: 40 },
    ]);
  });

  it('tells it at most once a second', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void (now += waits.push(milliseconds) && milliseconds);
    let requests = 0;
    const changed = Promise.withResolvers<void>();
    const topics = new MemoryTopics();
    const changes = new QuotaNotifier(topics, { own: async () => ({ requests }) as never }, wait);
    const iterator = changes.watch({ userId: 'usr_1' } as Caller);

    const first = await iterator.next();
    topics.subscribe('quota:usr_1', () => changed.resolve());
    requests = 1;
    changes.changed('usr_1');
    now = 300;
    await changed.promise;
    const second = await iterator.next();
    jest.restoreAllMocks();
    await iterator.return?.();

    expect([first.value, second.value]).toEqual([{ requests: 0 }, { requests: 1 }]);
    expect(waits).toEqual([700]);
  });

  it('hears nothing any more once it has ended, also while it waits', async () => {
    let listeners = 0;
    const topics = new MemoryTopics();
    const counting: MemoryTopics = Object.assign(Object.create(topics), {
      subscribe(topic: string, listener: Listener) {
        const end = topics.subscribe(topic, listener);
        listeners += 1;
        return () => {
          listeners -= 1;
          end();
        };
      },
    });
    const changes = new QuotaNotifier(counting, { own: async () => ({}) as never });
    const iterator = changes.watch({ userId: 'usr_1' } as Caller);

    await iterator.next();
    const waiting = iterator.next();
    const during = listeners;
    await iterator.return?.();

    expect((await waiting).done).toBe(true);
    expect([during, listeners]).toEqual([1, 0]);
  });
});

interface Told {
  readonly quotaUpdated: { readonly usage: { readonly requests: number; readonly tokens: number } };
}
