import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HealthProbe, PROBE_MS } from '../../../src/platform/telemetry/health-probe.js';
import type { CheckState } from '../../../src/platform/telemetry/health.js';
import { HeldCheck } from '../../support/probes/held-check.js';

describe('the probe of a check', () => {
  let [check, probe]: [HeldCheck, HealthProbe] = [] as never;
  beforeEach(() => {
    jest.useFakeTimers();
    check = new HeldCheck();
    probe = new HealthProbe(check.ask);
  });
  afterEach(() => void jest.useRealTimers());

  it.each<CheckState>(['ok', 'degraded', 'down', 'off'])('tells an answer in time as it is: %s', async (answer) => {
    const asked = probe.state();
    check.answer(answer);

    expect(await asked).toBe(answer);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is degraded after one bound of silence, down after two in a row, and ok at once with an answer', async () => {
    const states = [await stateWhenSilent(), await stateWhenSilent(), await stateWhenSilent()];
    const asked = probe.state();
    check.answer('ok');

    expect([...states, await asked]).toEqual(['degraded', 'down', 'down', 'ok']);
  });

  it('is never down where an answer stands between two silences', async () => {
    const first = await stateWhenSilent();
    const asked = probe.state();
    check.answer('ok');
    const between = await asked;

    expect([first, between, await stateWhenSilent()]).toEqual(['degraded', 'ok', 'degraded']);
  });

  it('is down at once with a failure, stays so in silence, and is ok at once with an answer', async () => {
    const failing = probe.state();
    check.fail(new Error('ECONNREFUSED'));
    const failed = await failing;
    const silent = await stateWhenSilent();
    const asked = probe.state();
    check.answer('ok');

    expect([failed, silent, await asked]).toEqual(['down', 'down', 'ok']);
  });

  it('is one for all who ask at the same time, whose silence is counted once', async () => {
    const asked = Promise.all([probe.state(), probe.state(), probe.state()]);
    await jest.advanceTimersByTimeAsync(PROBE_MS + 1);

    expect(await asked).toEqual(['degraded', 'degraded', 'degraded']);
    expect(check.signals).toHaveLength(1);
  });

  it('is aborted at its bound, and the next one is new', async () => {
    await stateWhenSilent();

    const asked = probe.state();
    check.answer('ok');

    expect(await asked).toBe('ok');
    expect(check.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('stays the only one where it cannot be aborted, and misses each time', async () => {
    check.isAbortable = false;

    const states = [await stateWhenSilent(), await stateWhenSilent(), await stateWhenSilent()];

    expect(states).toEqual(['degraded', 'down', 'down']);
    expect(check.signals).toHaveLength(1);
  });

  it('is degraded where its answer is late, and ok with the next one in time', async () => {
    check.isAbortable = false;
    await stateWhenSilent();

    const waiting = probe.state();
    check.answer('ok');
    const late = await waiting;
    const asked = probe.state();
    check.answer('ok');

    expect([late, await asked]).toEqual(['degraded', 'ok']);
  });

  it('goes on after a check that throws before it answers', async () => {
    const thrower = new HealthProbe(() => {
      throw new Error('not open yet');
    });

    expect([await thrower.state(), await thrower.state()]).toEqual(['down', 'down']);
  });

  async function stateWhenSilent(): Promise<CheckState> {
    const asked = probe.state();
    await jest.advanceTimersByTimeAsync(PROBE_MS + 1);
    return asked;
  }
});
