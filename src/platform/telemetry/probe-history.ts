import type { CheckState } from './health.js';

/** Bounds without an answer, in a row, after which a part is down. */
const MISSES = 2;

/**
 * How a part does, by its last probes. An answer makes it `ok`, a failure `down`, both at once. Silence proves less,
 * since a busy machine is slow: one probe that is not answered within its bound is `degraded`, the second in a row `down`.
 */
export class ProbeHistory {
  private misses = 0;

  get state(): CheckState {
    if (this.misses === 0) return 'ok';
    return this.misses < MISSES ? 'degraded' : 'down';
  }

  /** A probe was answered well. */
  answered(): void {
    this.misses = 0;
  }

  /** A probe failed, as where a connection is refused. Silence afterwards is no better. */
  failed(): void {
    this.misses = MISSES;
  }

  /** A bound passed without an answer. */
  missed(): void {
    this.misses += 1;
  }
}
