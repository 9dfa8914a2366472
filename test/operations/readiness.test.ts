import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HealthService } from '../../src/operations/health.service.js';
import { PROBE_MS } from '../../src/platform/telemetry/health-probe.js';
import { HeldCheck } from '../support/probes/held-check.js';

describe('a server whose database', () => {
  let [database, service]: [HeldCheck, HealthService] = [] as never;
  beforeEach(() => {
    jest.useFakeTimers();
    database = new HeldCheck();
    service = new HealthService('1.0.0', () => ({ database: database.ask, jobs: () => 'ok' }));
  });
  afterEach(() => void jest.useRealTimers());

  it('is slow stays ready, and is degraded', async () => {
    const [ready, health] = [service.databaseAnswers(), service.check()];
    await jest.advanceTimersByTimeAsync(PROBE_MS + 1);
    database.answer('ok');

    expect(await ready).toBe(true);
    expect(await health).toMatchObject({ status: 'degraded', checks: { database: 'degraded', jobs: 'ok' } });
  });

  it('says nothing for two bounds is not ready, and down', async () => {
    const ready = service.databaseAnswers();
    await jest.advanceTimersByTimeAsync(2 * PROBE_MS + 2);
    const health = service.check();
    await jest.advanceTimersByTimeAsync(PROBE_MS + 1);

    expect(await ready).toBe(false);
    expect(await health).toMatchObject({ status: 'degraded', checks: { database: 'down', jobs: 'ok' } });
  });

  it('refuses connections is not ready at once, and ready at once when it takes them again', async () => {
    const refused = service.databaseAnswers();
    database.fail(new Error('ECONNREFUSED'));
    const before = await refused;
    const ready = service.databaseAnswers();
    database.answer('ok');

    expect([before, await ready]).toEqual([false, true]);
  });
});
