import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BlobHealth } from '../../../src/platform/blobs/blob-health.js';
import type { BlobStore } from '../../../src/platform/blobs/blob.types.js';
import { HealthProbe, PROBE_MS } from '../../../src/platform/telemetry/health-probe.js';
import type { CheckState } from '../../../src/platform/telemetry/health.js';
import { HeldCheck } from '../../support/probes/held-check.js';
import { silentLog } from '../../support/probes/silent-log.js';

describe('the health of a store of blobs', () => {
  let [store, probe]: [HeldCheck, HealthProbe] = [] as never;
  beforeEach(() => {
    jest.useFakeTimers();
    store = new HeldCheck();
    probe = probeOf(store);
  });
  afterEach(() => void jest.useRealTimers());

  it('is degraded while the store is slow, down after two silences in a row, and ok at once when it answers', async () => {
    const states = [await stateWhenSilent(), await stateWhenSilent()];
    const asked = probe.state();
    store.answer('ok');

    expect([...states, await asked]).toEqual(['degraded', 'down', 'ok']);
  });

  it('is down at once where the store refuses, which is asked again five seconds later', async () => {
    const refused = probe.state();
    store.fail(new Error('AccessDenied'));
    const states = [await refused, await probe.state()];
    await jest.advanceTimersByTimeAsync(5_001);
    const asked = probe.state();
    store.answer('ok');

    expect([...states, await asked]).toEqual(['down', 'down', 'ok']);
    expect(store.signals).toHaveLength(2);
  });

  async function stateWhenSilent(): Promise<CheckState> {
    const asked = probe.state();
    await jest.advanceTimersByTimeAsync(PROBE_MS + 1);
    return asked;
  }
});

function probeOf({ ask }: HeldCheck): HealthProbe {
  const store = { check: (signal: AbortSignal) => ask(signal).then(() => undefined) } as unknown as BlobStore;
  const health = new BlobHealth({ store, isShared: true, lease: { alive: 1 }, log: silentLog });
  return new HealthProbe((signal) => health.check(signal));
}
