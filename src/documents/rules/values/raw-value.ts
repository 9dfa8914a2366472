import type { FoundAmount } from '../parsers/amounts.js';
import type { FoundDate } from '../parsers/dates.js';

/** What a text may mean for a field; dates and numbers are told by the conventions of the whole document only. */
export interface RawValue {
  /** Its place in the text that was read. */
  readonly start: number;
  readonly end: number;
  readonly known?: string | number | boolean;
  readonly date?: FoundDate;
  readonly amount?: FoundAmount;
  /** Whether what stands beside it may make another value of it. */
  readonly isDoubtful?: boolean;
  /** Whether check digits prove it. */
  readonly hasCheckDigits?: boolean;
}
