import type { CheckState } from '../../../src/platform/telemetry/health.js';

/** A check of health that says nothing until the test lets it answer, or its signal ends it. */
export class HeldCheck {
  /** Of each probe, in order. */
  readonly signals: AbortSignal[] = [];
  /** Whether the signal of a probe ends it. */
  isAbortable = true;
  private open = Promise.withResolvers<CheckState>();

  /** The check itself. */
  readonly ask = (signal: AbortSignal): Promise<CheckState> => {
    const held = (this.open = Promise.withResolvers<CheckState>());
    this.signals.push(signal);
    if (this.isAbortable) signal.addEventListener('abort', () => held.reject(signal.reason as Error));
    return held.promise;
  };

  /** Lets the last probe answer. */
  answer(state: CheckState): void {
    this.open.resolve(state);
  }

  /** Lets the last probe fail. */
  fail(error: Error): void {
    this.open.reject(error);
  }
}
