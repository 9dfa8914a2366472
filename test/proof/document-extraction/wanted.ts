import { confidenceFigures, fieldFigures } from './measures/figures.js';
import { judge } from './measures/judge.js';
import type { Outcome } from './measures/outcomes.js';

/** What the rules are to reach. */
const WANTED = { seenF1: 0.97, heldOutF1: 0.9, calibrationError: 0.05, surePrecision: 0.97 } as const;

/** Whether rules and weights have been made with documents like the one of an outcome. */
export function isSeen({ document }: Outcome): boolean {
  return document.heldOut.length === 0;
}

/** What was wanted and is not reached, a sentence each. @param scans by their dots an inch */
export function problemsOf(digital: readonly Outcome[], scans: ReadonlyMap<number, readonly Outcome[]>): string[] {
  const [seen, heldOut] = [digital.filter(isSeen), digital.filter((outcome) => !isSeen(outcome))];
  const judged = judge([...heldOut, ...[...scans.values()].flat().filter((outcome) => !isSeen(outcome))]);
  const { error, precision } = confidenceFigures(judged);
  const checks: readonly (readonly [string, boolean])[] = [
    [`F1 of seen documents is below ${WANTED.seenF1}.`, fieldFigures(seen).f1 < WANTED.seenF1],
    [`F1 of documents that are held out is below ${WANTED.heldOutF1}.`, fieldFigures(heldOut).f1 < WANTED.heldOutF1],
    [`The calibration error of what is held out is above ${WANTED.calibrationError}.`, error > WANTED.calibrationError],
    [
      `Of values above 0.9 that are held out fewer than ${WANTED.surePrecision} are right.`,
      precision < WANTED.surePrecision,
    ],
  ];
  return checks.flatMap(([problem, isOne]) => (isOne ? [problem] : []));
}
