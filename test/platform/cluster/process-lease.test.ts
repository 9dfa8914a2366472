import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ProcessLease } from '../../../src/platform/cluster/process-lease.js';
import { silentLog } from '../../support/probes/silent-log.js';

describe('the lease of a process', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('gives others the time of a lease to renew theirs, once it has run out itself', async () => {
    let isAway = false;
    const query = async () => {
      if (isAway) throw new Error('away');
      return [{ others: 2 }];
    };
    const dataSource = { query } as unknown as DataSource;
    const lease = new ProcessLease({ dataSource, embedded: false }, silentLog);
    const steady: boolean[] = [];
    await lease.start();

    // Alive, the database away for longer than a lease, back, and the others renewed.
    for (const [away, milliseconds] of [
      [false, 5_000],
      [true, 3_000],
      [true, 7_000],
      [false, 3_000],
      [false, 7_000],
    ] as const) {
      isAway = away;
      await jest.advanceTimersByTimeAsync(milliseconds);
      steady.push(lease.isPastGracePeriod);
    }
    await lease.close();

    expect(steady).toEqual([true, true, false, false, true]);
    expect(lease.alive).toBe(3);
  });
});
