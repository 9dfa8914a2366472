import { readAmount } from '../parsers/amounts.js';
import type { DecimalSign } from '../parsers/amounts.js';
import type { Column } from './columns.js';

/** Which columns multiply: quantity × price = amount. */
export interface Product {
  readonly quantity: Column;
  readonly price: Column;
  readonly amount: Column;
  /** The part of the rows in which it is right. */
  readonly share: number;
}

/** So many rows tell, and so many columns of numbers are tried, which bounds the work of a block. */
const SAMPLE = 40;
const MOST_COLUMNS = 10;

/** In fewer of the rows it would be chance, or the rows are misread. */
const LEAST_SHARE = 0.5;

/** The number of each row in a column; NaN where there is none. */
export function numbersOf({ cells }: Column, rows: number, decimal: DecimalSign): number[] {
  return Array.from({ length: rows }, (_, row) => {
    const amount = cells.get(row)?.amount;
    return (amount && readAmount(amount, decimal)?.value) ?? Number.NaN;
  });
}

/** Whether a price times a quantity is an amount, as far as cents are rounded. */
export function isProduct(quantity: number, price: number, amount: number): boolean {
  return Math.abs(quantity * price - amount) <= 0.011 + Math.abs(amount) * 1e-6;
}

/** Finds the columns whose numbers multiply in most rows; the quantity is named so, or is the one without cents. */
export function findProduct(
  columns: readonly Column[],
  rows: number,
  decimal: DecimalSign,
  prefers: (column: Column, role: 'quantity' | 'price' | 'amount') => number,
): Product | undefined {
  const sample = Math.min(rows, SAMPLE);
  const numeric = columns.filter(({ numbers }) => numbers >= 0.5).slice(-MOST_COLUMNS);
  const values = numeric.map((column) => numbersOf(column, sample, decimal));
  let best: (Product & { readonly rank: number }) | undefined;
  for (const [first, quantity] of numeric.entries()) {
    for (const [second, price] of numeric.entries()) {
      for (const [third, amount] of numeric.entries()) {
        if (first === second || third === first || third === second) continue;
        const share = shareOf(values[first] ?? [], values[second] ?? [], values[third] ?? []);
        if (share < LEAST_SHARE) continue;
        const rank =
          share * 4 +
          prefers(quantity, 'quantity') +
          prefers(price, 'price') +
          prefers(amount, 'amount') +
          likelihood(first, second, third, values);
        if (!best || rank > best.rank) best = { quantity, price, amount, share, rank };
      }
    }
  }
  return best;
}

/** The part of the rows in which it holds, of those that have all three; a product with nothing in it proves little. */
function shareOf(quantities: readonly number[], prices: readonly number[], amounts: readonly number[]): number {
  let [whole, right] = [0, 0];
  for (const [row, quantity] of quantities.entries()) {
    const [price, amount] = [prices[row] ?? Number.NaN, amounts[row] ?? Number.NaN];
    if (Number.isNaN(quantity + price + amount)) continue;
    whole += 1;
    if (amount !== 0 && isProduct(quantity, price, amount)) right += 1;
  }
  return whole >= quantities.length / 2 && whole > 0 ? right / whole : 0;
}

/** What tells apart what could be either: whole quantities, amounts behind prices, quantities that are not all 1. */
function likelihood(quantity: number, price: number, amount: number, values: readonly number[][]): number {
  const whole = (values[quantity] ?? []).filter((value) => Number.isInteger(value)).length;
  const wholePrices = (values[price] ?? []).filter((value) => Number.isInteger(value)).length;
  return (
    (whole > wholePrices ? 0.6 : 0) + (amount > price && amount > quantity ? 0.5 : 0) + (quantity < price ? 0.2 : 0)
  );
}
