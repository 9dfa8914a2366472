import type { Place } from '../candidates/candidate.js';
import { readAmount } from '../parsers/amounts.js';
import type { DecimalSign, FoundAmount } from '../parsers/amounts.js';

/** A number of the document that is in no row, and where it stands. */
export interface PlacedAmount {
  readonly amount: FoundAmount;
  readonly place: Place;
}

/** Three amounts that are net + tax = total. */
export interface Totals {
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  /** In per cent, where the document names the rate that the tax is. */
  readonly rate?: number;
  /** Whether the rows sum up to the net amount, or to the total. */
  readonly isSum: boolean;
}

/** What labels say of a value, 0–1, for each of the three. */
export type LabelScore = (role: 'net' | 'tax' | 'total', value: number) => number;

/** So many different values are combined, which bounds the pairs that are tried. */
const MOST_VALUES = 400;

/** No tax is higher, in parts of the net amount. */
const HIGHEST_TAX = 0.3;

/** Less than this, in labels, rates and sums, is chance. */
const LEAST_SUPPORT = 1;

const CENT = 0.011;

/**
 * Finds the amounts of a document that are net + tax = total and that most else speaks for: what labels say, that the
 * rows sum up to it, that the rate of the tax is named.
 */
export function findTotals(
  amounts: readonly PlacedAmount[],
  decimal: DecimalSign,
  context: { readonly sum?: number; readonly labels: LabelScore },
): Totals | undefined {
  const { values, rates } = distinctOf(amounts, decimal);
  const cents = new Set(values.map(toCents));
  let best: (Totals & { readonly support: number }) | undefined;
  for (const net of values) {
    for (const tax of values) {
      const share = tax / net;
      if (!(share > 0.005 && share < HIGHEST_TAX) || !cents.has(toCents(net + tax))) continue;
      const total = toCents(net + tax) / 100;
      const rate = rates.find((some) => Math.abs((net * some) / 100 - tax) <= CENT + net * 1e-5);
      const isSum = context.sum !== undefined && [net, total].some((value) => Math.abs(value - context.sum!) < CENT);
      const named = context.labels('net', net) + context.labels('tax', tax) + context.labels('total', total);
      const support = named + (rate === undefined ? 0 : 0.8) + (isSum ? 1.2 : 0) + total * 1e-12;
      if (support < LEAST_SUPPORT || support <= (best?.support ?? 0)) continue;
      best = { net, tax, total, isSum, support, ...(rate === undefined ? {} : { rate }) };
    }
  }
  return best;
}

/** Whether two amounts are the same, as far as cents are rounded. */
export function isSameAmount(one: number, other: number): boolean {
  return Math.abs(one - other) < CENT;
}

function toCents(value: number): number {
  return Math.round(value * 100);
}

function distinctOf(amounts: readonly PlacedAmount[], decimal: DecimalSign): { values: number[]; rates: number[] } {
  const [values, rates] = [new Set<number>(), new Set<number>()];
  // Totals stand at the end, mostly.
  for (const { amount } of amounts.toReversed()) {
    const value = readAmount(amount, decimal)?.value;
    if (value === undefined || value <= 0) continue;
    if (amount.isPercent) rates.add(value);
    else if (values.size < MOST_VALUES) values.add(value);
  }
  return { values: [...values], rates: [...rates].slice(0, 20) };
}
