import type { Candidate } from '../candidates/candidate.js';
import type { Check } from '../rules.types.js';
import type { TypedValue } from '../values/to-value.js';

/** A candidate with its value and what the checks have said of it. */
export interface Scored extends Candidate, TypedValue {
  readonly passed: Set<Check>;
  readonly failed: Set<Check>;
  /** With the checks: above 1 where they prove it. */
  points: number;
}

/** What the checks are worth beside a label that says all, which is worth 1. */
const BONUS: Readonly<Partial<Record<Check, number>>> = {
  total: 0.5,
  sum: 0.2,
  digits: 0.3,
  order: 0.1,
  repeated: 0.05,
};

/** Notes that a check has passed, once. */
export function pass(scored: Scored, check: Check): void {
  if (!scored.passed.has(check)) scored.points += BONUS[check] ?? 0;
  scored.passed.add(check);
}

/** Notes that a check speaks against it. */
export function fail(scored: Scored, check: Check): void {
  if (!scored.failed.has(check)) scored.points -= (BONUS[check] ?? 0) / 2;
  scored.failed.add(check);
}
