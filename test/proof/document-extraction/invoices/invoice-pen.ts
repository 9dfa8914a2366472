import type { Concept } from '../../../../src/documents/rules/labels/lexicon.js';
import type { Random } from '../../../crash/random.js';
import { pickLabel } from '../set/label-split.js';
import { PAGE, Sheet } from '../set/sheet.js';
import type { TextStyle, ValuePart } from '../set/sheet.js';
import { pickDateStyle, writeDate, writeNumber } from '../set/writing.js';
import type { InvoiceData } from './invoice-data.js';
import type { InvoiceLayout } from './layouts.js';

/** A value as it is written. */
export type Written = ValuePart & { readonly text: string };

/** The left edge of what is written on a page, in points. */
export const LEFT = 50;
/** The right one. */
export const RIGHT = PAGE.width - 50;

/** Writes the parts of one invoice, line by line. */
export class InvoicePen {
  readonly sheet: Sheet;
  readonly label: (concept: Concept) => string;
  readonly date: (iso: string) => string;
  readonly sign: string;
  /** Where the next line begins, in points from the top. */
  y = 50;

  constructor(
    readonly data: InvoiceData,
    readonly layout: InvoiceLayout,
    readonly random: Random,
    hasHeldOutLabels: boolean,
  ) {
    this.sheet = new Sheet(layout.font);
    const picked = new Map<Concept, string>();
    this.label = (concept) => {
      const label = picked.get(concept) ?? pickLabel(random, concept, data.country.language, hasHeldOutLabels);
      picked.set(concept, label);
      return label;
    };
    const style = pickDateStyle(random);
    this.date = (iso) => writeDate(iso, data.country, style);
    this.sign = random.pick(data.country.signs);
  }

  /** From one line to the next, in points. */
  get step(): number {
    return this.layout.size * 1.45;
  }

  /** Writes a line where the pen is. */
  text(x: number, parts: readonly (string | Written)[], style: TextStyle = {}): void {
    this.sheet.line(x, this.y, parts, { size: this.layout.size, ...style });
  }

  /** A value of a field, as it is written. */
  value(path: string, value: Written['value'], text: string): Written {
    return { path, value, text };
  }

  /** An amount as the country writes it. */
  money(path: string, value: number): Written {
    return this.value(path, value, writeNumber(value, this.data.country));
  }

  /** A VAT number with the separators that its country likes. */
  vatId(path: string, vatId: string): Written {
    const isSpaced = vatId.startsWith('GB') || vatId.startsWith('FR');
    const swiss = vatId.replace(/^CHE(\d{3})(\d{3})(\d{3})$/, 'CHE-$1.$2.$3');
    return this.value(path, vatId, isSpaced ? vatId.replace(/^(..)(...)(....)/, '$1 $2 $3 ') : swiss);
  }
}
