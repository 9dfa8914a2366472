import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Caller } from '../../../src/access/caller.js';
import { ClientGone, NotFound } from '../../../src/errors.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import type { EventFeeds } from '../../../src/platform/events/event-feeds.js';
import type { EventReader } from '../../../src/platform/events/event-reader.js';
import type { ResearchSessionEvent } from '../../../src/researcher/events/research-event.types.js';
import { researchFeeds, SessionEventsService } from '../../../src/researcher/events/session-events.service.js';
import { ResearchNotifier } from '../../../src/researcher/sessions/research-notifier.js';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addResearchSession, queries, sentEvents, tell } from '../../support/builders/research.js';

const READERS = 200;

describe('readers of the events of a session', () => {
  let [platform, user]: [Platform, SignedInUser] = [] as never;
  let [topics, feeds, notifier, id]: [MemoryTopics, EventFeeds, ResearchNotifier, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    ({ user } = await addStaffedTenant(platform));
  });
  afterAll(() => platform.close());
  beforeEach(begin);

  it('share what is read: a new event costs some queries, however many read', async () => {
    const readers = await Promise.all(Array.from({ length: READERS }, () => read()));
    const streams = readers.map((reader) => new Taken(reader));
    await greeted(streams);
    const asked = jest.spyOn(platform.app.database.dataSource, 'query');

    await announce(queries(1, 1));
    await Promise.all(streams.map((stream) => stream.until(1)));
    const forOne = eventQueries(asked);
    await announce(queries(2, 50));
    await announce([{ type: 'done', data: {} }], 'completed');
    await Promise.all(streams.map((stream) => stream.ended));
    const forAll = eventQueries(asked);
    asked.mockRestore();

    expect([forOne, forAll <= 3]).toEqual([1, true]);
    const all = Array.from({ length: 51 }, (_, index) => index + 1);
    expect(new Set(streams.map(({ ids }) => ids.join()))).toEqual(new Set([all.join()]));
    expect(readers.map(({ isWhole }) => isWhole)).toEqual(readers.map(() => true));
    expect([feeds.size, listeners()]).toEqual([0, 0]);
  });

  it('share what was there before when they ask for it at the same time', async () => {
    await tell(platform, id, [...queries(1, 999), { type: 'done', data: {} }], 'completed');
    const asked = jest.spyOn(platform.app.database.dataSource, 'query');

    const streams = await Promise.all(Array.from({ length: READERS }, async () => new Taken(await read())));
    await Promise.all(streams.map((stream) => stream.ended));
    const count = eventQueries(asked);
    asked.mockRestore();

    expect(count).toBeLessThan(READERS / 4);
    expect(new Set(streams.map(({ ids }) => ids.length))).toEqual(new Set([1_000]));
  });

  it('miss nothing that is told while they begin', async () => {
    const reader = await read();
    await tell(platform, id, queries(1, 1));
    const first = new Taken(reader);

    await first.until(1);

    expect(first.ids).toEqual([1]);
  });

  it('miss nothing where messages are lost', async () => {
    const stream = new Taken(await read());
    await greeted([stream]);
    await tell(platform, id, queries(1, 3));

    await feeds.refresh();
    await stream.until(3);

    expect(stream.ids).toEqual([1, 2, 3]);
  });

  it('read from the database what they were too slow for', async () => {
    const slow = (await read()).batches();
    await slow.next();
    const fast = new Taken(await read());
    for (let from = 1; from <= 3_000; from += 500) await announce(queries(from, from + 499, { text: 'x'.repeat(200) }));
    await announce([{ type: 'done', data: {} }], 'completed');
    await fast.ended;

    const [ids, sizes] = [[] as (number | undefined)[], [] as number[]];
    for await (const bytes of slow) {
      ids.push(...sentEvents(Buffer.from(bytes).toString()).map((event) => event.id));
      sizes.push(bytes.length);
    }

    expect(ids).toEqual(fast.ids);
    expect(ids).toHaveLength(3_001);
    // Of data 64 KiB; and what frames 500 events at most.
    expect(Math.max(...sizes)).toBeLessThan(128 * 1_024);
  });

  it('leave nothing open, whether they end, go, or are sent away', async () => {
    const leaving = new AbortController();
    const [returned, aborted, unread] = [await read(), await read({ signal: leaving.signal }), await read()];
    const waiting = [returned, aborted].map((reader) => reader.next());
    await returned.return();
    leaving.abort(new ClientGone());
    await expect(waiting[1]).rejects.toThrow(ClientGone);
    await unread.return();

    expect(await waiting[0]).toMatchObject({ done: true });
    expect([feeds.size, listeners()]).toEqual([0, 0]);
  });

  it.each(['return', 'abort'])('are not held up by what they have not read: %s', async (way) => {
    const leaving = new AbortController();
    const reader = await read({ signal: leaving.signal });
    const batches = reader.batches();
    await batches.next();
    await announce(queries(1, 10));

    if (way === 'return') await batches.return?.();
    else leaving.abort(new ClientGone());

    if (way === 'abort') await expect(batches.next()).rejects.toThrow(ClientGone);
    else expect(await batches.next()).toMatchObject({ done: true });
    expect(feeds.size).toBe(0);
  });

  it('are told that the session is gone, and whoever comes later is not told of it', async () => {
    const reader = await read();
    const next = reader.next();
    await platform.query('UPDATE research_sessions SET deleted_at = now() WHERE id = $1', [id]);

    notifier.cancelled(id);

    await expect(next).rejects.toThrow(NotFound);
    await expect(read()).rejects.toThrow(NotFound);
    expect([reader.isWhole, feeds.size]).toEqual([false, 0]);
  });

  it('are told that the database is away, and those behind them read again', async () => {
    const stream = new Taken(await read());
    await greeted([stream]);
    const away = jest.spyOn(platform.app.database.dataSource, 'query').mockRejectedValueOnce(new Error('away'));

    notifier.cancelled(id);

    await expect(stream.ended).rejects.toThrow('away');
    away.mockRestore();
    const next = new Taken(await read());
    await announce(queries(1, 1));
    await next.until(1);
    expect(next.ids).toEqual([1]);
  });

  it('wait for a session that goes on again while others have read its end', async () => {
    await tell(platform, id, queries(1, 2), 'failed');
    const slow = (await read()).batches();
    await slow.next();
    await tell(platform, id, queries(3, 3), 'searching');

    const stream = new Taken(await read({ after: 3 }));
    await greeted([stream]);
    await announce([{ type: 'done', data: {} }], 'completed');
    await stream.ended;

    expect(stream.ids).toEqual([4]);
    await slow.return?.();
    expect(feeds.size).toBe(0);
  });

  async function begin(): Promise<void> {
    topics = new MemoryTopics();
    notifier = new ResearchNotifier(topics);
    feeds = researchFeeds(platform.app.database.dataSource, notifier);
    id = await addResearchSession(platform, user);
  }

  function read({ after = 0, signal = new AbortController().signal } = {}): Promise<EventReader<ResearchSessionEvent>> {
    const caller = { userId: user.id, tenantId: user.tenantId } as Caller;
    return new SessionEventsService(platform.app.database.dataSource, feeds).read(caller, id, after, signal);
  }

  async function announce(...told: [Parameters<typeof tell>[2], Parameters<typeof tell>[3]?]): Promise<void> {
    await tell(platform, id, ...told);
    notifier.changed(id);
  }

  function listeners(): number {
    return topics['listeners'].size;
  }
});

/** What a reader has got so far. */
class Taken {
  readonly ids: (number | undefined)[] = [];
  isGreeted = false;
  readonly ended: Promise<void>;

  constructor(reader: EventReader<ResearchSessionEvent>) {
    this.ended = this.take(reader);
    this.ended.catch(() => undefined);
  }

  until(last: number): Promise<unknown> {
    return eventually(`event ${last} is there`, 10, () => this.ids.at(-1) === last);
  }

  private async take(reader: EventReader<ResearchSessionEvent>): Promise<void> {
    for await (const bytes of reader.batches()) {
      this.isGreeted = true;
      this.ids.push(...sentEvents(Buffer.from(bytes).toString()).map((event) => event.id));
    }
  }
}

function greeted(streams: readonly Taken[]): Promise<unknown> {
  return eventually('all wait', 10, () => streams.every(({ isGreeted }) => isGreeted));
}

function eventQueries(spy: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }): number {
  return spy.mock.calls.filter(([sql]) => String(sql).includes('FROM research_events')).length;
}
