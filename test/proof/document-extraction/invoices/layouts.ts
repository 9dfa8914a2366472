import type { FontFamily } from '../set/sheet.js';

/** The columns that the table of an invoice may have. */
export type ItemColumn = 'position' | 'article' | 'description' | 'quantity' | 'unit' | 'price' | 'rate' | 'amount';

/** How an invoice is laid out. */
export interface InvoiceLayout {
  readonly name: string;
  /** Whether rules and weights are tried on it alone, never made with it. */
  readonly isHeldOut: boolean;
  readonly font: FontFamily;
  readonly size: number;
  readonly supplier: 'left' | 'right' | 'center' | 'footer';
  /** Number, dates and the like: lines of `label: value`, two columns, a row of labels above their values, a frame of such, or two on a line. */
  readonly facts: 'colon' | 'columns' | 'row' | 'frame' | 'pairs';
  readonly factsAt: 'left' | 'right';
  readonly customer: 'above' | 'beside' | 'plain';
  readonly columns: readonly ItemColumn[];
  readonly hasShade: boolean;
  readonly hasCurrency: boolean;
  readonly totals: 'right' | 'left' | 'row' | 'wide';
  /** Where the rate of the tax stands: in its label, or on a line of its own. */
  readonly rate: 'label' | 'line';
  readonly bank: 'footer' | 'block' | 'facts';
  readonly repeatsHeader: boolean;
}

const usual = {
  isHeldOut: false,
  font: 'Helvetica',
  size: 10,
  supplier: 'left',
  facts: 'colon',
  factsAt: 'right',
  customer: 'above',
  columns: ['position', 'description', 'quantity', 'price', 'amount'],
  hasShade: false,
  hasCurrency: false,
  totals: 'right',
  rate: 'label',
  bank: 'footer',
  repeatsHeader: true,
} as const satisfies Omit<InvoiceLayout, 'name'>;

/** The twelve; four are held out. */
export const LAYOUTS: readonly InvoiceLayout[] = [
  { ...usual, name: 'letter' },
  {
    ...usual,
    name: 'columns',
    facts: 'columns',
    hasShade: true,
    bank: 'block',
    columns: ['article', 'description', 'quantity', 'unit', 'price', 'amount'],
  },
  {
    ...usual,
    name: 'times',
    font: 'Times',
    size: 11,
    supplier: 'right',
    facts: 'columns',
    factsAt: 'left',
    customer: 'beside',
    rate: 'line',
  },
  {
    ...usual,
    name: 'row',
    facts: 'row',
    factsAt: 'left',
    supplier: 'center',
    hasShade: true,
    hasCurrency: true,
    columns: ['description', 'quantity', 'price', 'amount'],
  },
  {
    ...usual,
    name: 'rates',
    columns: ['position', 'description', 'quantity', 'unit', 'price', 'rate', 'amount'],
    size: 9,
    bank: 'block',
    rate: 'line',
  },
  { ...usual, name: 'frame', facts: 'frame', customer: 'plain', totals: 'wide', repeatsHeader: false, bank: 'facts' },
  {
    ...usual,
    name: 'quantity first',
    columns: ['quantity', 'unit', 'description', 'price', 'amount'],
    font: 'Times',
    totals: 'right',
    hasCurrency: true,
    customer: 'beside',
  },
  {
    ...usual,
    name: 'pairs',
    facts: 'pairs',
    factsAt: 'left',
    supplier: 'center',
    size: 9,
    columns: ['position', 'article', 'description', 'quantity', 'price', 'amount'],
    bank: 'block',
  },
  {
    ...usual,
    name: 'typewriter',
    isHeldOut: true,
    font: 'Courier',
    size: 9,
    facts: 'columns',
    factsAt: 'left',
    columns: ['quantity', 'description', 'price', 'amount'],
    bank: 'block',
    totals: 'right',
  },
  {
    ...usual,
    name: 'price first',
    isHeldOut: true,
    columns: ['article', 'description', 'price', 'quantity', 'amount'],
    facts: 'row',
    factsAt: 'left',
    supplier: 'right',
    totals: 'row',
    hasShade: true,
  },
  {
    ...usual,
    name: 'left totals',
    isHeldOut: true,
    font: 'Times',
    supplier: 'footer',
    facts: 'frame',
    factsAt: 'right',
    customer: 'plain',
    totals: 'left',
    rate: 'line',
    bank: 'facts',
    columns: ['position', 'description', 'unit', 'quantity', 'price', 'amount'],
  },
  {
    ...usual,
    name: 'dense',
    isHeldOut: true,
    size: 8,
    facts: 'pairs',
    factsAt: 'right',
    customer: 'beside',
    columns: ['position', 'article', 'description', 'quantity', 'unit', 'price', 'rate', 'amount'],
    totals: 'wide',
    hasCurrency: true,
    repeatsHeader: false,
  },
];
