import { describe, expect, it } from '@jest/globals';
import type { Backend } from '../../../src/inference/backends/backend.js';
import { checkBackends } from '../../../src/inference/backends/backend-status.js';

/** Backends that are healthy (`+`), late (`~`) or neither (`-`), those of a tenant with a `t` in front. */
function backends(...kinds: string[]): { all: Backend[] } {
  return {
    all: kinds.map((kind) => {
      const tenantId = kind.startsWith('t') ? 'ten_1' : null;
      const backend = { tenantId, healthy: kind.endsWith('+'), isLate: kind.endsWith('~') };
      return backend as unknown as Backend;
    }),
  };
}

describe('how the backends do', () => {
  it.each([
    ['ok', ['+', '+']],
    ['degraded', ['+', '-']],
    ['down', ['-']],
    ['degraded', ['~', '-']],
    ['off', []],
    ['ok', ['+', 't-']],
    ['down', ['-', 't+']],
    ['off', ['t-']],
  ])('is %s with %j: those of tenants do not count', (state, kinds) => {
    expect(checkBackends(backends(...kinds))).toBe(state);
  });
});
