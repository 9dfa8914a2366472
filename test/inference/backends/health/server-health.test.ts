import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServerHealth } from '../../../../src/inference/backends/health/server-health.js';
import { silentLog } from '../../../support/probes/silent-log.js';

describe('a model server', () => {
  let health: ServerHealth;
  beforeEach(() => {
    const nothing = (): void => undefined;
    health = new ServerHealth({ id: 'one', log: silentLog, changed: nothing, probe: nothing });
  });
  afterEach(() => health.close());

  it('is late after one probe without an answer, and no longer so after the second in a row', () => {
    health.probed(new Error('timeout'), true);
    const first = health.isLate;
    health.probed(new Error('timeout'), true);

    expect([first, health.isLate, health.reachable]).toEqual([true, false, false]);
  });

  it('is not late where its probe failed, or it cannot be connected to', () => {
    health.probed(new Error('/models answered 500'));
    const failed = health.isLate;
    health.probed();
    health.notConnected('chat', new Error('ECONNREFUSED'));
    health.probed(new Error('timeout'), true);

    expect([failed, health.isLate]).toEqual([false, false]);
  });

  it('is well again with one answer', () => {
    health.probed(new Error('timeout'), true);
    health.reached();

    expect([health.isLate, health.reachable]).toEqual([false, true]);
  });
});
