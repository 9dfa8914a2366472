import { beforeEach, describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from '../../src/inference/backends/circuit-breaker.js';

describe('a circuit breaker', () => {
  let clock: number;
  let circuit: CircuitBreaker;

  beforeEach(() => {
    clock = 0;
    circuit = new CircuitBreaker(() => clock);
  });

  const fail = (times: number): void => {
    for (let count = 0; count < times; count += 1) circuit.failed();
  };

  it('makes an instance rest for a second after one failure, and then try one call', () => {
    circuit.failed();

    expect(circuit.standing).toBe('resting');
    clock = 1_000;
    expect(circuit.standing).toBe('probe');
    const endProbe = circuit.beginProbe();
    expect(circuit.standing).toBe('resting');
    circuit.answered();
    endProbe();
    expect(circuit.standing).toBe('ready');
  });

  it('opens after three failures in a row, and not where an answer came between', () => {
    fail(2);
    circuit.succeeded();
    fail(2);
    expect(circuit.standing).toBe('resting');

    circuit.failed();

    expect(circuit.standing).toBe('open');
  });

  it('lets one probe through at a time when the pause is over', () => {
    fail(3);
    clock = 2_000;
    expect(circuit.standing).toBe('probe');

    const endProbe = circuit.beginProbe();

    expect(circuit.standing).toBe('open');
    endProbe();
    expect(circuit.standing).toBe('probe');
  });

  it('closes when the probe is answered, and opens again at the next failure until an answer is whole', () => {
    fail(3);
    clock = 2_000;
    const endProbe = circuit.beginProbe();

    circuit.answered();
    endProbe();

    expect(circuit.standing).toBe('ready');
    circuit.failed();
    expect(circuit.standing).toBe('open');
    clock = 4_000;
    circuit.answered();
    circuit.succeeded();
    circuit.failed();
    expect(circuit.standing).toBe('resting');
  });

  it('doubles the pause with each probe that fails, up to 30 s', () => {
    const pauses: number[] = [];
    fail(3);
    for (let probe = 0; probe < 6; probe += 1) {
      const from = clock;
      while (circuit.standing === 'open') clock += 100;
      pauses.push(clock - from);
      const endProbe = circuit.beginProbe();
      circuit.failed();
      endProbe();
    }

    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is not moved by calls that fail after it has opened', () => {
    fail(20);

    clock = 2_000;
    expect(circuit.standing).toBe('probe');
  });

  it('gives the probe at once when a check of the health went well', () => {
    fail(3);

    circuit.healthy();

    expect(circuit.standing).toBe('probe');
  });

  it('makes a busy instance rest as long as it asks for, 30 s at most', () => {
    circuit.busy(7);
    clock = 6_999;
    expect(circuit.standing).toBe('resting');
    clock = 7_000;
    expect(circuit.standing).toBe('probe');

    circuit.busy(3_600);
    clock = 37_000;
    expect(circuit.standing).toBe('probe');
  });
});
