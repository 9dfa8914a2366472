import type { NumberRun } from './number-run.js';

/** How the digits of a kind of number may be written. */
export interface NumberForm {
  /** How many digits it has at least and at most. */
  readonly digits: readonly [least: number, most: number];
  /** The lengths of groups in which it is usually written. */
  readonly groupings: readonly (readonly number[])[];
  /** Whether other groups of about one length count as well, where nothing else is beside them. */
  readonly takesAnyGroups: boolean;
  /** Whether groups with spaces between them count only where no other number is beside them. */
  readonly isLikeTable: boolean;
  /** What may stand between groups. */
  readonly separators: number;
}

/** A kind of number of digits alone: how it is written, and its check rules. */
export interface NumberKind {
  readonly form: NumberForm;
  /** Says whether digits, as many as the form allows, are such a number. */
  isValid(digits: string): boolean;
}

/**
 * Answers how many groups of a run make a number of this form: the usual groups anywhere, others (if it takes any, and
 * they are regular) if they are the whole run, and groups of one digit if they are all there are side by side.
 */
export function findNumberEnds(run: NumberRun, form: NumberForm): number[] {
  const counts = form.groupings.filter((grouping) => run.beginsWith(grouping)).map((grouping) => grouping.length);
  if (run.singles > 1) counts.push(run.singles);
  if (form.takesAnyGroups && run.isWhole && run.isRegular) counts.push(run.lengths.length);
  return [...new Set(counts)].filter((groups) => isEnd(run, groups, form));
}

function isEnd(run: NumberRun, groups: number, form: NumberForm): boolean {
  const [least, most] = form.digits;
  const digits = run.countDigits(groups);
  const isAlone = run.isWhole && groups === run.lengths.length;
  if (form.isLikeTable && run.singles !== groups && !isAlone && run.hasSpaces(groups)) return false;
  return digits >= least && digits <= most && run.hasFreeEnd(groups) && run.usesOnly(form.separators, groups);
}

/** Says whether a run whose end is not known yet can become a number of this form. */
export function canBecomeNumber(run: NumberRun, form: NumberForm): boolean {
  if (!run.isOpen || run.digits.length > form.digits[1]) return false;
  if (!run.usesOnly(form.separators, run.lengths.length)) {
    // What is decided before another separator was found already, except for its end.
    return run.lengths.length < 2;
  }
  if ((form.takesAnyGroups && run.isWhole) || run.singles === run.lengths.length) return true;
  return form.groupings.some((grouping) => run.canBecome(grouping));
}
