import { beforeEach, describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from '../../../../src/inference/backends/health/circuit-breaker.js';
import { cpuGrowth, IN_PROPORTION } from '../../../support/probes/cpu-growth.js';

describe('a circuit breaker', () => {
  let clock: number;
  let circuit: CircuitBreaker;

  beforeEach(() => {
    clock = 0;
    circuit = new CircuitBreaker(() => clock);
  });

  it('pauses for a second after one failure, and stays closed', () => {
    circuit.failed();

    expect([circuit.state, circuit.pausedUntil]).toEqual(['closed', 1_000]);
    clock = 1_000;
    expect([circuit.state, circuit.pausedUntil]).toEqual(['closed', undefined]);
  });

  it('opens after three failures in a row, and not where a whole answer came between', () => {
    fail(2);
    circuit.succeeded();
    fail(2);
    expect(circuit.state).toBe('closed');

    circuit.failed();

    expect(circuit.state).toBe('open');
  });

  it('is half open when its pause is over, and closed by a probe then, but not before', () => {
    fail(3);
    clock = 1_999;
    circuit.probed();
    expect(circuit.state).toBe('open');

    clock = 2_000;
    expect([circuit.state, circuit.pausedUntil]).toEqual(['halfOpen', undefined]);
    circuit.probed();

    expect(circuit.state).toBe('closed');
  });

  it('opens again for twice as long at the next failure, until an answer is whole', () => {
    fail(3);
    clock = 2_000;
    circuit.probed();

    circuit.failed();
    expect([circuit.state, circuit.pausedUntil]).toEqual(['open', 6_000]);

    clock = 6_000;
    circuit.probed();
    circuit.answered('a');
    circuit.succeeded();
    circuit.failed();
    expect(circuit.state).toBe('closed');
  });

  it('doubles the pause with each probe that fails, up to 30 s', () => {
    const pauses: number[] = [];
    fail(3);
    for (let probe = 0; probe < 6; probe += 1) {
      const from = clock;
      while (circuit.state === 'open') clock += 100;
      pauses.push(clock - from);
      circuit.failed();
    }

    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is not moved by calls that fail after it has opened', () => {
    fail(20);

    expect(circuit.pausedUntil).toBe(2_000);
  });

  it('closes when an answer comes from a server that is asked all the same', () => {
    fail(3);

    circuit.answered('a');

    expect(circuit.state).toBe('closed');
  });

  it('pauses a busy instance as long as it asks for, 30 s at most', () => {
    circuit.busy(7);
    expect([circuit.state, circuit.pausedUntil]).toEqual(['closed', 7_000]);
    clock = 7_000;
    expect(circuit.pausedUntil).toBeUndefined();

    circuit.busy(3_600);
    expect(circuit.pausedUntil).toBe(37_000);
  });

  it('is never opened by what one or two callers send, however often', () => {
    for (let turn = 0; turn < 100; turn += 1) failFor('a', 'b');

    expect([circuit.state, circuit.pausedUntil]).toEqual(['closed', undefined]);
  });

  it('opens where calls of three callers fail, and of nobody else', () => {
    failFor('a', 'b', 'c');

    expect([circuit.state, circuit.pausedUntil]).toEqual(['open', 2_000]);
  });

  it('stays closed where most callers, or these themselves, are answered', () => {
    for (const good of ['1', '2', '3', '4']) circuit.answered(good);
    failFor('a', 'b', 'c');
    expect(circuit.state).toBe('closed');

    circuit.answered('a');
    failFor('a', 'd');
    expect(circuit.state).toBe('closed');

    failFor('e');
    expect(circuit.state).toBe('closed');
    failFor('f');
    expect(circuit.state).toBe('open');
  });

  it('takes the beginning of an answer that breaks for none', () => {
    for (const caller of ['a', 'b', 'c']) {
      circuit.answered(caller);
      circuit.failedFor(caller, true);
    }

    expect(circuit.state).toBe('open');
  });

  it('forgets callers after 30 s', () => {
    for (const good of ['1', '2', '3', '4']) circuit.answered(good);
    failFor('a', 'b');
    clock = 30_001;

    failFor('c', 'd');
    expect(circuit.state).toBe('closed');
    failFor('e');

    expect(circuit.state).toBe('open');
  });

  it('needs three callers again where it was closed after failures of several', () => {
    failFor('a', 'b', 'c');
    clock = 2_000;
    circuit.probed();

    failFor('a', 'a', 'b');
    expect(circuit.state).toBe('closed');
    failFor('c');

    expect([circuit.state, circuit.pausedUntil]).toEqual(['open', 6_000]);
  });

  it('remembers a thousand callers, and no more', () => {
    for (let caller = 0; caller < 20_000; caller += 1) circuit.answered(`good ${caller}`);
    for (let caller = 0; caller < 400; caller += 1) circuit.failedFor(`bad ${caller}`);
    expect(circuit.state).toBe('closed');

    for (let caller = 400; caller < 500; caller += 1) circuit.failedFor(`bad ${caller}`);

    expect(circuit.state).toBe('open');
  });

  it('takes time in proportion to its answers, however many callers they are for', async () => {
    const growth = await cpuGrowth(
      20_000,
      (length) => Array.from({ length }, (_, caller) => `good ${caller}`),
      (callers) => callers.forEach((caller) => circuit.answered(caller)),
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  function fail(times: number): void {
    for (let count = 0; count < times; count += 1) circuit.failed();
  }

  function failFor(...callers: string[]): void {
    for (const caller of callers) circuit.failedFor(caller);
  }
});
