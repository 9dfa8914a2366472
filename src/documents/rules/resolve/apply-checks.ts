import { findTotals, isSameAmount } from '../checks/totals.js';
import type { PlacedAmount, Totals } from '../checks/totals.js';
import type { Candidate } from '../candidates/candidate.js';
import type { DecimalSign } from '../parsers/amounts.js';
import { readAmount } from '../parsers/amounts.js';
import type { Concept } from '../labels/lexicon.js';
import type { Target } from '../targets.js';
import { fail, pass } from './scored.js';
import type { Scored } from './scored.js';

/** One field with its candidates. */
export interface OpenField {
  readonly target: Target;
  readonly shape: string;
  readonly candidates: Scored[];
}

const ROLES = [
  ['netAmount', 'net'],
  ['taxAmount', 'tax'],
  ['totalAmount', 'total'],
] as const;

/** So long after the invoice, in days, it is to be paid at most. */
const LONGEST_TERM = 200;

/** Has the amounts of a document checked by its arithmetic; finds those that no label names. */
export function checkTotals(
  fields: readonly OpenField[],
  amounts: readonly PlacedAmount[],
  context: { readonly decimal: DecimalSign; readonly sum?: number },
): Totals | undefined {
  const { decimal } = context;
  const byConcept = new Map(fields.map((field) => [field.target.concept, field]));
  const candidatesOf = (concept: Concept) => byConcept.get(concept)?.candidates ?? [];
  const labelScores = new Map(ROLES.map(([concept, role]) => [role, scoresOf(candidatesOf(concept))]));
  const totals = findTotals(amounts, decimal, {
    ...(context.sum === undefined ? {} : { sum: context.sum }),
    labels: (role, value) => labelScores.get(role)?.get(Math.round(value * 100)) ?? 0,
  });
  if (totals) {
    for (const [concept, role] of ROLES) {
      const field = byConcept.get(concept);
      if (field) confirm(field, totals[role], totals, amounts, decimal);
    }
    const rate = byConcept.get('taxRate');
    if (rate && totals.rate !== undefined) confirmRate(rate, totals.rate, amounts, decimal);
  } else if (context.sum !== undefined) {
    for (const one of [...candidatesOf('netAmount'), ...candidatesOf('totalAmount')]) {
      if (isSameAmount(Number(one.value), context.sum)) pass(one, 'sum');
    }
  }
  return totals;
}

/** The best score of each value, by its cents. */
function scoresOf(candidates: readonly Scored[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const { value, score } of candidates) {
    const cents = Math.round(Number(value) * 100);
    scores.set(cents, Math.max(score, scores.get(cents) ?? 0));
  }
  return scores;
}

function confirm(
  field: OpenField,
  value: number,
  totals: Totals,
  amounts: readonly PlacedAmount[],
  decimal: DecimalSign,
): void {
  const same = field.candidates.filter((one) => isSameAmount(Number(one.value), value));
  if (same.length === 0) same.push(...addPlain(field, value, amounts, decimal));
  for (const one of field.candidates) {
    if (same.includes(one)) {
      pass(one, 'total');
      if (totals.isSum) pass(one, 'sum');
      if (totals.rate !== undefined) pass(one, 'rate');
    } else fail(one, 'total');
  }
}

function confirmRate(field: OpenField, rate: number, amounts: readonly PlacedAmount[], decimal: DecimalSign): void {
  if (!field.candidates.some(({ value }) => value === rate)) {
    addPlain(
      field,
      rate,
      amounts.filter(({ amount }) => amount.isPercent),
      decimal,
    );
  }
  for (const one of field.candidates) {
    if (one.value === rate) pass(one, 'rate');
    else fail(one, 'rate');
    if (one.value === rate) one.points += 0.5;
  }
}

/** Where the value stands last, as a candidate without a label. */
function addPlain(
  { candidates }: OpenField,
  value: number,
  amounts: readonly PlacedAmount[],
  decimal: DecimalSign,
): Scored[] {
  const found = amounts.findLast(({ amount }) => {
    const read = readAmount(amount, decimal)?.value;
    return read !== undefined && isSameAmount(read, value);
  });
  if (!found) return [];
  const raw: Candidate['raw'] = { start: 0, end: 0, amount: found.amount };
  const plain: Scored = {
    raw,
    place: found.place,
    relation: 'none',
    label: 'none',
    labelQuality: 0,
    score: 0.3,
    value,
    isAmbiguous: false,
    passed: new Set(),
    failed: new Set(),
    points: 0.3,
  };
  candidates.push(plain);
  return [plain];
}

/** What is to be paid is to be paid behind the date of the invoice; what ends has begun. */
export function checkDates(fields: readonly OpenField[]): void {
  const best = (concept: Concept) =>
    fields
      .find(({ target }) => target.concept === concept)
      ?.candidates.toSorted((one, other) => other.points - one.points);
  for (const [before, behind, longest] of [
    ['invoiceDate', 'dueDate', LONGEST_TERM],
    ['effectiveDate', 'endDate', Number.POSITIVE_INFINITY],
  ] as const) {
    const first = best(before)?.[0];
    if (!first) continue;
    for (const later of best(behind) ?? []) {
      const days = (Date.parse(String(later.value)) - Date.parse(String(first.value))) / 86_400_000;
      if (days >= 0 && days <= longest) {
        pass(later, 'order');
        if (later.relation !== 'none') pass(first, 'order');
        // Without a label, a later date is more likely than the same one again.
        if (later.relation === 'none' && days > 0) later.points += 0.1;
      } else fail(later, 'order');
    }
  }
}
