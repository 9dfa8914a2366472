import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { MatchKind } from '../matching/match.types.js';
import type { SanitizerAction } from '../replacement.js';

/** From a tenth of a millisecond on. */
const DELAY_SECONDS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

type Direction = 'input' | 'output';

/** What the sanitizer found, and how long it took. */
export class SanitizerMetrics {
  private readonly matches;
  private readonly unreadable;
  private readonly delay;

  constructor(metrics: Metrics) {
    this.matches = metrics.counter(
      'platform_sanitizer_matches_total',
      'What rules of sanitizer policies have found in calls.',
      'kind',
      'action',
      'direction',
    );
    this.unreadable = metrics.counter(
      'platform_sanitizer_unreadable_total',
      'Calls that were refused for a part that a policy cannot read.',
      'direction',
    );
    this.delay = metrics.histogram(
      'platform_sanitizer_delay_seconds',
      'What sanitizer policies have added to the time of a call.',
      DELAY_SECONDS,
      'direction',
    );
  }

  countMatch(kind: MatchKind, action: SanitizerAction, direction: Direction): void {
    this.matches.inc({ kind, action, direction });
  }

  countUnreadable(direction: Direction): void {
    this.unreadable.inc({ direction });
  }

  addDelay(direction: Direction, seconds: number): void {
    this.delay.observe({ direction }, seconds);
  }
}
