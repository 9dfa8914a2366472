import type { Box } from '../layout/layout.types.js';
import type { LabelSource } from './labels/label-index.js';

/** How a value stands to its label. `row`: in a row of a table; `sentence`: in the sentence that the label begins. */
export type Relation = 'behind' | 'beside' | 'below' | 'sentence' | 'row' | 'none';

/**
 * What proves a value without words, or speaks against it. `row`: quantity × price = amount; `total`: net + tax = total;
 * `sum`: the amounts of the rows are the net amount, or the total; `rate`: the tax is that rate of the net amount;
 * `digits`: check digits; `order`: dates follow each other as they should; `repeated`: it stands there several times.
 */
export type Check = 'row' | 'total' | 'sum' | 'rate' | 'digits' | 'order' | 'repeated';

/** Why a value is proposed: what the confidence is reckoned from. */
export interface Evidence {
  readonly relation: Relation;
  readonly label: LabelSource | 'none';
  /** 0–1: how well the label says what the field is. */
  readonly labelQuality: number;
  /** Other values that were found for the field. */
  readonly rivals: number;
  /** 0–1: by how much it was better than the best of them; 1 where there is none. */
  readonly margin: number;
  /** 0–1: the least sure of its words; undefined: nothing of it was recognized. */
  readonly recognition?: number;
  readonly passed: readonly Check[];
  readonly failed: readonly Check[];
  /** Whether only a guess about the document tells the value, as of 03/04/2024. */
  readonly isAmbiguous: boolean;
  /** What the value looks like. */
  readonly shape: string;
}

/** A value for a field, with its proof. A field without a proposal was not found. */
export interface Proposal {
  /** `supplier.name`, `line_items[3].amount`. */
  readonly path: string;
  readonly value: string | number | boolean;
  /** Undefined: the format has no pages. */
  readonly page?: number;
  /** Which of the pages that were given, from 0: pieces of a sheet have one number together. */
  readonly pageIndex: number;
  /** What the page's text has from `start` to `end`, in UTF-16 units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** Undefined: the page has no boxes. */
  readonly box?: Box;
  readonly origin: 'text' | 'ocr';
  readonly evidence: Evidence;
}
