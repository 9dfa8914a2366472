import { afterEach, describe, expect, it } from '@jest/globals';
import { SpeechOrders } from '../../../src/echo/speech/speech-orders.js';
import type { OrderedSpeech } from '../../../src/echo/speech/speech-orders.js';
import { MemorySealedStore } from '../../../src/platform/cluster/sealed-store.js';

describe('texts that wait to be fetched', () => {
  it('are bounded for each user with all that was sent, and drop none of others', async () => {
    const orders = replica();
    await orders.put('of bob', ordered('bob', 'Hello.'));
    for (let count = 0; count < 3; count += 1) await orders.put(`${count}`, ordered('ann', 'a', 'x'.repeat(1_300_000)));

    const last = orders.put('last', ordered('ann', 'a', 'x'.repeat(1_300_000)));

    await expect(last).rejects.toMatchObject({ status: 429, details: { headers: { 'retry-after': '10' } } });
    expect(await orders.begin('of bob', sending().signal)).toBe(true);
    expect(await orders.begin('0', sending().signal)).toBe(true);
    await orders.put('last', ordered('ann', 'a', 'x'.repeat(1_300_000)));
  });

  it('are bounded for all users', async () => {
    const orders = replica();
    for (let count = 0; count < 16; count += 1)
      await orders.put(`${count}`, ordered(`${count}`, 'x'.repeat(4_100_000)));

    await expect(orders.put('last', ordered('last', 'x'.repeat(4_100_000)))).rejects.toMatchObject({ status: 503 });
  });

  it.each(['the replica that was asked', 'another one'])('are fetched once, and forgotten, on %s', async (where) => {
    const first = replica();
    const orders = where === 'another one' ? replica() : first;
    await first.put('key', ordered('ann', 'Hello.'));

    const sent = sending();
    const begun = await Promise.all([orders.begin('key', sent.signal), orders.begin('key', sent.signal)]);

    expect(begun).toEqual([true, false]);
    // It is looked for while it is sent.
    expect(await orders.find('key')).toMatchObject({ order: { input: 'Hello.' } });
    expect(await orders.begin('key', sent.signal)).toBe(false);
    sent.abort();
    expect(await orders.begin('key', sending().signal)).toBe(false);
    expect(await orders.find('key')).toBeUndefined();
    expect(orders.usage).toEqual({ waitingBytes: 0, taken: 0 });
  });

  it('leave nothing where nobody is there any more who has fetched them', async () => {
    const orders = replica();
    await orders.put('key', ordered('ann', 'Hello.'));

    await orders.begin('key', AbortSignal.abort());
    await orders.begin('unknown', sending().signal);

    expect(orders.usage).toEqual({ waitingBytes: 0, taken: 0 });
  });

  const store = new MemorySealedStore(1024 * 1024);
  const replicas: SpeechOrders[] = [];
  afterEach(() => replicas.splice(0).forEach((orders) => orders.close()));

  function replica(): SpeechOrders {
    const secretBox = { seal: (_: string, content: Buffer) => content, unseal: (_: string, sealed: Buffer) => sealed };
    const orders = new SpeechOrders(store, secretBox as never);
    replicas.push(orders);
    return orders;
  }
});

function ordered(userId: string, input: string, extra = ''): OrderedSpeech {
  return {
    caller: { tenantId: 'tenant', userId, tokenId: 'token' },
    token: { userId, tokenId: 'token', userVersion: 1, expiresAt: 2 ** 40, credential: 'pat', secretHash: 'hash' },
    order: { model: undefined, input, voice: undefined, speed: undefined, format: 'wav', extra: { extra } },
    context: { serverRequestId: 'request' },
  };
}

function sending(): AbortController {
  return new AbortController();
}
