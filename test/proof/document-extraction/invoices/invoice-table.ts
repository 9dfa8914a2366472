import type { Concept } from '../../../../src/documents/rules/labels/lexicon.js';
import { writeNumber, writeRate } from '../set/writing.js';
import type { InvoiceItem } from './invoice-data.js';
import { LEFT, RIGHT } from './invoice-pen.js';
import type { InvoicePen, Written } from './invoice-pen.js';
import { WORDS } from './invoice-words.js';
import type { ItemColumn } from './layouts.js';

/** Below this a page is full, in points. */
const BOTTOM = 730;

const COLUMN_CONCEPTS: Readonly<Record<ItemColumn, Concept>> = {
  position: 'position',
  article: 'articleNumber',
  description: 'description',
  quantity: 'quantity',
  unit: 'unit',
  price: 'unitPrice',
  rate: 'taxRate',
  amount: 'lineAmount',
};
/** How wide a column is, beside the description, which has the rest; in letters. */
const WIDTHS: Readonly<Record<ItemColumn, number>> = {
  position: 9,
  article: 10,
  description: 0,
  quantity: 9,
  unit: 8,
  price: 15,
  rate: 11,
  amount: 19,
};

/** Writes the items of an invoice over pages, and what they sum up to. */
export class InvoiceTable {
  constructor(private readonly pen: InvoicePen) {}

  write(): void {
    this.writeItems();
    this.writeTotals();
  }

  private columns(): { readonly column: ItemColumn; readonly left: number; readonly right: number }[] {
    const letter = this.pen.layout.size * (this.pen.layout.font === 'Courier' ? 0.6 : 0.5);
    const fixed = this.pen.layout.columns.reduce((sum, column) => sum + WIDTHS[column] * letter, 0);
    let x = LEFT;
    return this.pen.layout.columns.map((column) => {
      const left = x;
      x += column === 'description' ? RIGHT - LEFT - fixed : WIDTHS[column] * letter;
      return { column, left, right: x - letter };
    });
  }

  private writeHeader(): void {
    if (this.pen.layout.hasShade) this.pen.sheet.shade(LEFT - 4, this.pen.y - 3, RIGHT - LEFT + 8, this.pen.step + 2);
    for (const { column, left, right } of this.columns()) {
      const isNumber = ['quantity', 'price', 'amount', 'rate'].includes(column);
      const label = this.pen.label(COLUMN_CONCEPTS[column]);
      this.pen.text(isNumber ? right : left, [label], {
        bold: true,
        align: isNumber ? 'right' : 'left',
        size: this.pen.layout.size * 0.95,
      });
    }
    this.pen.y += this.pen.step;
    if (!this.pen.layout.hasShade) this.pen.sheet.rule(LEFT, this.pen.y - 2, RIGHT - LEFT);
    this.pen.y += 3;
  }

  private writeItems(): void {
    this.writeHeader();
    for (const [index, item] of this.pen.data.items.entries()) {
      if (this.pen.y > BOTTOM) this.breakPage();
      this.writeItem(item, index);
    }
    this.pen.sheet.rule(LEFT, this.pen.y, RIGHT - LEFT);
    this.pen.y += this.pen.step * 0.6;
  }

  private breakPage(): void {
    this.pen.sheet.line(RIGHT, 800, [`${WORDS[this.pen.data.country.language].page} ${this.pen.sheet.page}`], {
      size: 8,
      align: 'right',
    });
    this.pen.sheet.addPage();
    this.pen.y = 60;
    if (this.pen.layout.repeatsHeader) this.writeHeader();
  }

  private writeItem(item: InvoiceItem, index: number): void {
    const { country } = this.pen.data;
    const path = (name: string) => `line_items[${index}].${name}`;
    const digits = Number.isInteger(item.quantity) ? 0 : 2;
    const texts: Readonly<Record<ItemColumn, string | Written>> = {
      position: String(index + 1),
      article: item.article,
      description: this.pen.value(path('description'), item.description, item.description),
      quantity: this.pen.value(path('quantity'), item.quantity, writeNumber(item.quantity, country, digits)),
      unit: item.unit,
      price: this.pen.money(path('unit_price'), item.price),
      rate: `${writeRate(this.pen.data.rate, country)} %`,
      amount: this.pen.money(path('amount'), item.amount),
    };
    for (const { column, left, right } of this.columns()) {
      const isNumber = ['quantity', 'price', 'amount', 'rate'].includes(column);
      const isMoney = this.pen.layout.hasCurrency && column === 'amount';
      const parts =
        isMoney && this.pen.sign !== '$' && this.pen.sign !== '£'
          ? [texts[column], ` ${this.pen.sign}`]
          : isMoney
            ? [this.pen.sign, texts[column]]
            : [texts[column]];
      this.pen.text(isNumber ? right : left, parts, { align: isNumber ? 'right' : 'left' });
    }
    this.pen.y += this.pen.step;
    if (!item.note) return;
    this.pen.text(this.columns().find(({ column }) => column === 'description')?.left ?? LEFT, [item.note], {
      size: this.pen.layout.size * 0.85,
    });
    this.pen.y += this.pen.step;
  }

  private writeTotals(): void {
    if (this.pen.y > BOTTOM - 70) this.breakPage();
    const { net, tax, total, rate, country } = this.pen.data;
    const percent = this.pen.value('tax_rate', rate, writeRate(rate, country));
    const taxLabel =
      this.pen.layout.rate === 'label'
        ? [`${this.pen.label('taxAmount')} `, percent, ' %']
        : [this.pen.label('taxAmount')];
    const rows: (readonly [(string | Written)[], (string | Written)[]])[] = [
      [[this.pen.label('netAmount')], [this.pen.money('net_amount', net)]],
      [taxLabel, [this.pen.money('tax_amount', tax)]],
      [[this.pen.label('totalAmount')], [this.pen.money('total_amount', total)]],
    ];
    if (this.pen.layout.rate === 'line') rows.splice(1, 0, [[this.pen.label('taxRate')], [percent, ' %']]);
    // It stands in many places, each of which proves it.
    this.pen.sheet.truth.set('currency', { value: country.currency });
    const currency = this.pen.sign;
    const last = rows.at(-1)?.[1] as (string | Written)[];
    if (this.pen.sign === '$' || this.pen.sign === '£') last.unshift(currency);
    else last.push(' ', currency);
    if (this.pen.layout.totals === 'row') {
      const width = (RIGHT - LEFT) / rows.length;
      for (const [place, [label]] of rows.entries()) this.pen.text(LEFT + place * width, label, { bold: true });
      this.pen.y += this.pen.step;
      for (const [place, [, value]] of rows.entries()) this.pen.text(LEFT + place * width, value);
      this.pen.y += this.pen.step;
      return;
    }
    const { totals } = this.pen.layout;
    for (const [place, [label, value]] of rows.entries()) {
      const style = { bold: place === rows.length - 1 };
      this.pen.text(totals === 'right' ? 330 : LEFT, label, style);
      this.pen.text(totals === 'left' ? 260 : RIGHT - 5, value, { ...style, align: 'right' });
      this.pen.y += this.pen.step;
    }
  }
}
