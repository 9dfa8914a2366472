import { decimalSignOf } from './parsers/amounts.js';
import type { DecimalSign, FoundAmount } from './parsers/amounts.js';
import { orderOf } from './parsers/dates.js';
import type { DateOrder, FoundDate } from './parsers/dates.js';

/** How a document writes what is written in several ways. */
export interface Conventions {
  readonly dateOrder: DateOrder;
  /** Whether a date has proved it, or the currency says where the document is from. */
  readonly isDateOrderSure: boolean;
  readonly decimal: DecimalSign;
  readonly isDecimalSure: boolean;
}

/** Learns from all dates, amounts and currencies of a document how it writes them. */
export class ConventionCounter {
  private readonly orders = { dmy: 0, mdy: 0 };
  private readonly decimals = { '.': 0, ',': 0 };
  private readonly currencies = new Map<string, number>();

  addDate(date: FoundDate): void {
    const order = orderOf(date);
    if (order) this.orders[order] += 1;
  }

  addAmount({ written }: Pick<FoundAmount, 'written'>): void {
    const decimal = decimalSignOf(written);
    if (decimal) this.decimals[decimal] += 1;
  }

  addCurrency(code: string): void {
    this.currencies.set(code, (this.currencies.get(code) ?? 0) + 1);
  }

  /** The currency that is named most; undefined: none is, or two are as often. */
  get currency(): string | undefined {
    const [first, second] = [...this.currencies].sort(([, one], [, other]) => other - one);
    return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
  }

  /** What most of the document says; where nothing does, days come first unless it reckons in dollars. */
  decide(): Conventions {
    const { dmy, mdy } = this.orders;
    const isAmerican = this.currency === 'USD';
    const dateOrder = dmy === mdy ? (isAmerican ? 'mdy' : 'dmy') : dmy > mdy ? 'dmy' : 'mdy';
    const [points, commas] = [this.decimals['.'], this.decimals[',']];
    return {
      dateOrder,
      isDateOrderSure: dmy !== mdy || this.currency !== undefined,
      decimal: commas > points ? ',' : '.',
      isDecimalSure: commas !== points,
    };
  }
}
