import type { CheckState, HealthCheck } from './health.js';
import { ProbeHistory } from './probe-history.js';

/** How long a probe may take. */
export const PROBE_MS = 2_000;

/**
 * Asks a check how its part does, and judges the answers by the rule of `ProbeHistory`. One probe is in flight at most,
 * however many ask: those who ask at the same time get the same answer, and silence is counted once for all of them.
 */
export class HealthProbe {
  private readonly history = new ProbeHistory();
  private running: Promise<CheckState> | undefined;
  private timeout = new AbortController();
  private asked: Promise<CheckState> | undefined;

  constructor(private readonly check: HealthCheck) {}

  /**
   * The state, within the bound of one probe. A probe that is late is aborted, and another begins the next time; one that
   * cannot be aborted is waited for again instead, and misses again.
   */
  state(): Promise<CheckState> {
    this.asked ??= this.ask().finally(() => {
      this.asked = undefined;
    });
    return this.asked;
  }

  private async ask(): Promise<CheckState> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    const { promise: missed, resolve } = Promise.withResolvers<undefined>();
    // Where this process stood still, the answer has come and is read before the miss is counted.
    const timer = setTimeout(() => setImmediate(resolve, undefined), PROBE_MS);
    const answer = await Promise.race([this.running, missed]);
    clearTimeout(timer);
    if (answer !== undefined) return answer;
    this.history.missed();
    this.timeout.abort();
    return this.history.state;
  }

  /** A late answer is one, but no good one; a late failure may be what the abort has made. */
  private async run(): Promise<CheckState> {
    const { signal } = (this.timeout = new AbortController());
    try {
      const state = await this.check(signal);
      if (state === 'down') this.history.failed();
      else this.history.answered();
      return signal.aborted && state === 'ok' ? 'degraded' : state;
    } catch {
      if (!signal.aborted) this.history.failed();
      return this.history.state;
    }
  }
}
