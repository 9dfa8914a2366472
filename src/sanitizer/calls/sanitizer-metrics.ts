import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { MatchKind } from '../matching/match.types.js';
import type { SanitizerAction } from '../replacement.js';

const DIRECTIONS = ['input', 'output'] as const;

type Direction = (typeof DIRECTIONS)[number];

/** What the sanitizer found, and how long it took. */
export class SanitizerMetrics {
  private readonly matches;
  private readonly unreadable;
  /** Since the metrics were asked for last: pieces of streams must not wait for a counter with labels. */
  private readonly milliseconds = { input: 0, output: 0 };

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
    const seconds = metrics.counter(
      'platform_sanitizer_seconds_total',
      'What rules of sanitizer policies have added to the time of calls.',
      'direction',
    );
    metrics.beforeText(() => {
      for (const direction of DIRECTIONS) {
        seconds.inc({ direction }, this.milliseconds[direction] / 1_000);
        this.milliseconds[direction] = 0;
      }
    });
  }

  countMatch(kind: MatchKind, action: SanitizerAction, direction: Direction): void {
    this.matches.inc({ kind, action, direction });
  }

  countUnreadable(direction: Direction): void {
    this.unreadable.inc({ direction });
  }

  addTime(direction: Direction, milliseconds: number): void {
    this.milliseconds[direction] += milliseconds;
  }
}
