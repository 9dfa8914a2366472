import { describe, expect, it } from '@jest/globals';
import { ConcurrencyGate } from '../../src/inference/backends/concurrency-gate.js';

const { signal } = new AbortController();

describe('the concurrency gate', () => {
  it('lets in so many at once, the others in their order', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 2, seconds: 10 } });
    const order: string[] = [];
    await gate.enter(signal);

    const second = gate.enter(signal).then(() => order.push('second'));
    const third = gate.enter(signal).then(() => order.push('third'));
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
    await gate.enter(signal);

    await expect(gate.enter(signal)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });

  it('answers 503 where the wait is too long', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 1, seconds: 0.01 } });
    await gate.enter(signal);

    await expect(gate.enter(signal)).rejects.toMatchObject({ status: 503 });
    gate.leave();
    expect(gate.active).toBe(0);
  });

  it('forgets who has left the queue', async () => {
    const gate = new ConcurrencyGate({ max: 1, queue: { max: 1, seconds: 10 } });
    const controller = new AbortController();
    await gate.enter(signal);
    const waiting = gate.enter(controller.signal);

    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = gate.enter(signal);
    gate.leave();
    await next;

    expect(gate.active).toBe(1);
  });

  it('has no limit where none is set', async () => {
    const gate = new ConcurrencyGate({ queue: { max: 0, seconds: 1 } });

    await Promise.all(Array.from({ length: 1_000 }, () => gate.enter(signal)));

    expect(gate.active).toBe(1_000);
  });
});
