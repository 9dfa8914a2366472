import { describe, expect, it } from '@jest/globals';
import { ConcurrencyGate } from '../../../../src/inference/backends/openai/concurrency-gate.js';

const { signal } = new AbortController();

describe('the concurrency gate', () => {
  it('lets in so many at once, the others in their order', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 4, seconds: 10 } });
    const order: string[] = [];
    await gate.enter('a', signal);

    const second = gate.enter('a', signal).then(() => order.push('second'));
    const third = gate.enter('a', signal).then(() => order.push('third'));
    gate.leave();
    await second;
    gate.leave();
    await third;

    expect(order).toEqual(['second', 'third']);
    expect(gate.active).toBe(1);
    gate.leave();
    expect(gate.active).toBe(0);
  });

  it('answers 503 with Retry-After where the queue is full', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 0, seconds: 10 } });
    await gate.enter('a', signal);

    await expect(gate.enter('a', signal)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });

  it('answers 503 where the wait is too long', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 1, seconds: 0.01 } });
    await gate.enter('a', signal);

    await expect(gate.enter('a', signal)).rejects.toMatchObject({ status: 503 });
    gate.leave();
    expect(gate.active).toBe(0);
  });

  it('forgets who has left the queue', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 1, seconds: 10 } });
    const controller = new AbortController();
    await gate.enter('a', signal);
    const waiting = gate.enter('a', controller.signal);

    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = gate.enter('a', signal);
    gate.leave();
    await next;

    expect(gate.active).toBe(1);
  });

  it('serves those who wait in turn by caller, and the calls of each in their order', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 6, seconds: 10 } });
    const order: string[] = [];
    await gate.enter('a', signal);
    const calls = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
      gate.enter(name[0] as string, signal).then(() => {
        order.push(name);
        gate.leave();
      }),
    );

    gate.leave();
    await Promise.all(calls);

    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([gate.active, gate.load]).toEqual([0, 0]);
  });

  it('leaves half of the waiting places to others', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 5, seconds: 10 } });
    await gate.enter('a', signal);
    const waiting = [gate.enter('a', signal), gate.enter('a', signal)];

    await expect(gate.enter('a', signal)).rejects.toMatchObject({ status: 503 });
    waiting.push(gate.enter('b', signal), gate.enter('b', signal), gate.enter('c', signal));
    await expect(gate.enter('d', signal)).rejects.toMatchObject({ status: 503 });

    expect(gate.load).toBe(6);
    for (let left = 0; left < 6; left += 1) gate.leave();
    await Promise.all(waiting);
    expect(gate.load).toBe(0);
  });

  it('has no limit where none is set', async () => {
    const gate = new ConcurrencyGate({ queue: { max: 0, seconds: 1 } });

    await Promise.all(Array.from({ length: 1_000 }, () => gate.enter('a', signal)));

    expect(gate.active).toBe(1_000);
  });
});
