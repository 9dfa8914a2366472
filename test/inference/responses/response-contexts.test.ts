import { describe, expect, it, jest } from '@jest/globals';
import type { Caller } from '../../../src/access/caller.js';
import { NotFound, PayloadTooLarge, Unavailable } from '../../../src/errors.js';
import { MemorySealedStore } from '../../../src/platform/cluster/sealed-store.js';
import type { SealedStore } from '../../../src/platform/cluster/sealed-store.js';
import { newResponseId, ResponseContexts } from '../../../src/inference/responses/response-contexts.js';
import type { ResponseContext } from '../../../src/inference/responses/response-contexts.js';
import { silentLog } from '../../support/probes/silent-log.js';

const ALICE = { tenantId: 'ten_1', userId: 'usr_1' } as Caller;

describe('the contexts of responses', () => {
  it('are found by their id, by whoever made them and nobody else', async () => {
    const contexts = new ResponseContexts(new OpenStore(), silentLog);
    const id = newResponseId();
    await contexts.save(ALICE, id, said('Hello.'));

    const others = [
      { ...ALICE, userId: 'usr_2' },
      { ...ALICE, tenantId: 'ten_2' },
      { ...ALICE, tenantId: 'ten_1","usr' },
    ];

    expect(await contexts.find(ALICE, id)).toEqual(said('Hello.'));
    for (const other of others) await expect(contexts.find(other, id)).rejects.toBeInstanceOf(NotFound);
  });

  it('lie under handles and in bytes that tell neither id nor text, and differ each time', async () => {
    const store = new OpenStore();
    const contexts = new ResponseContexts(store, silentLog);
    const ids = [newResponseId(), newResponseId()];
    for (const id of ids) await contexts.save(ALICE, id, said('Hello.'));

    const entries = [...store.entries].map(([handle, sealed]) => `${handle} ${sealed.toString('latin1')}`);

    expect(new Set(entries).size).toBe(2);
    for (const entry of entries) {
      expect(entry).not.toContain('Hello.');
      for (const id of ids) expect(entry).not.toContain(id.slice('resp_'.length, 20));
    }
  });

  it('are unknown where one bit of them has changed', async () => {
    const store = new OpenStore();
    const contexts = new ResponseContexts(store, silentLog);
    const id = newResponseId();
    await contexts.save(ALICE, id, said('Hello.'));
    const [sealed = Buffer.alloc(0)] = store.entries.values();

    for (let at = 0; at < sealed.length; at += 1) {
      sealed[at] = (sealed[at] ?? 0) ^ 1;
      await expect(contexts.find(ALICE, id)).rejects.toBeInstanceOf(NotFound);
      sealed[at] = (sealed[at] ?? 0) ^ 1;
    }
    expect(await contexts.find(ALICE, id)).toEqual(said('Hello.'));
  });

  it('have ids of which no two texts mean the same', async () => {
    const contexts = new ResponseContexts(new OpenStore(), silentLog);
    const id = newResponseId();
    await contexts.save(ALICE, id, said('Hello.'));
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

    const tries = [...last].map((character) => id.slice(0, -1) + character).filter((other) => other !== id);

    for (const other of tries) await expect(contexts.find(ALICE, other)).rejects.toBeInstanceOf(NotFound);
  });

  it('over 4 MiB are remembered as that, without their text', async () => {
    const store = new OpenStore();
    const contexts = new ResponseContexts(store, silentLog);
    const id = newResponseId();
    await contexts.save(ALICE, id, said('x'.repeat(4 * 1024 * 1024)));

    await expect(contexts.find(ALICE, id)).rejects.toBeInstanceOf(PayloadTooLarge);
    expect([...store.entries.values()][0]?.length).toBeLessThan(100);
  });

  it('that cannot be stored do not spoil the answer, and cannot be looked up either', async () => {
    const broken: SealedStore = {
      get: () => Promise.reject(new Unavailable('down')),
      set: () => Promise.reject(new Unavailable('down')),
    };
    const contexts = new ResponseContexts(broken, silentLog);

    await contexts.save(ALICE, newResponseId(), said('Hello.'));

    await expect(contexts.find(ALICE, newResponseId())).rejects.toBeInstanceOf(Unavailable);
  });

  it('in memory stay within their bytes, least recently used first', async () => {
    const store = new MemorySealedStore(250);
    const sealed = Buffer.alloc(99);
    await store.set('a', sealed, 60, 'ann');
    await store.set('b', sealed, 60, 'bob');
    await store.get('a');
    await store.set('c', sealed, 60, 'cem');
    await store.set('d', Buffer.alloc(300), 60, 'dan');

    const found = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (handle) => (await store.get(handle)) !== undefined),
    );

    expect(found).toEqual([true, false, true, false]);
  });

  it('in memory take no more than half of the room for one user, whose oldest goes first', async () => {
    const store = new MemorySealedStore(1_000);
    await store.set('a', Buffer.alloc(99), 60, 'ann');
    for (let index = 0; index < 50; index += 1) await store.set(`b${index}`, Buffer.alloc(97), 60, 'bob');

    const found = await Promise.all(
      ['a', 'b0', 'b45', 'b49'].map(async (handle) => (await store.get(handle)) !== undefined),
    );

    expect(found).toEqual([true, false, true, true]);
  });

  it('in memory end with their time', async () => {
    const store = new MemorySealedStore(1_000);
    const clock = jest.spyOn(performance, 'now');
    clock.mockReturnValue(1);
    await store.set('a', Buffer.alloc(10), 3_600, 'ann');
    clock.mockReturnValue(3_600_002);

    const found = await store.get('a');
    clock.mockRestore();

    expect(found).toBeUndefined();
  });
});

function said(content: string): ResponseContext {
  return { kind: 'items', items: [{ role: 'user', content }] };
}

/** A store whose contents a test can look at and change. */
class OpenStore implements SealedStore {
  readonly entries = new Map<string, Buffer>();

  async get(handle: string): Promise<Buffer | undefined> {
    return this.entries.get(handle);
  }

  async set(handle: string, sealed: Buffer): Promise<void> {
    this.entries.set(handle, sealed);
  }
}
