import type { Concept } from '../../../../src/documents/rules/labels/lexicon.js';
import { PAGE } from '../set/sheet.js';
import { LEFT, RIGHT } from './invoice-pen.js';
import type { InvoicePen, Written } from './invoice-pen.js';
import { WORDS } from './invoice-words.js';

/** A label with its value. */
interface Fact {
  readonly label: string;
  readonly value: Written;
}

/** Writes what stands above the table: from whom, to whom, numbers and dates. */
export class InvoiceHead {
  constructor(private readonly pen: InvoicePen) {}

  write(): void {
    const { supplier, country } = this.pen.data;
    const { layout } = this.pen;
    const x = layout.supplier === 'right' ? RIGHT : layout.supplier === 'center' ? PAGE.width / 2 : LEFT;
    const align = layout.supplier === 'footer' ? 'left' : layout.supplier;
    if (layout.supplier !== 'footer') {
      this.pen.text(x, [this.pen.value('supplier.name', supplier.name, supplier.name)], {
        align,
        bold: true,
        size: layout.size * 1.5,
      });
      this.pen.y += this.pen.step * 1.5;
      for (const line of [
        `${supplier.street}, ${supplier.town}`,
        `${WORDS[country.language].phone} ${supplier.phone}`,
      ]) {
        this.pen.text(x, [line], { align });
        this.pen.y += this.pen.step;
      }
    }
    this.pen.y += this.pen.step;
    const title = this.pen.random.pick(WORDS[country.language].title);
    this.pen.text(layout.supplier === 'right' ? LEFT : RIGHT, [title], {
      size: layout.size * 1.9,
      bold: true,
      align: layout.supplier === 'right' ? 'left' : 'right',
    });
    this.pen.y += this.pen.step * 2;
    const top = this.pen.y;
    this.writeCustomer();
    const customerEnd = this.pen.y;
    if (layout.factsAt === 'right' && !['row', 'frame'].includes(layout.facts)) this.pen.y = top;
    else this.pen.y += this.pen.step;
    this.writeFacts();
    this.pen.y = Math.max(this.pen.y, customerEnd) + this.pen.step * 1.5;
  }

  private writeCustomer(): void {
    const { customer } = this.pen.data;
    const name = this.pen.value('customer.name', customer.name, customer.name);
    const label = this.pen.label('customerName');
    if (this.pen.layout.customer === 'beside') this.pen.text(LEFT, [`${label}: `, name]);
    else {
      if (this.pen.layout.customer === 'above') {
        this.pen.text(LEFT, [label], { bold: true });
        this.pen.y += this.pen.step;
      }
      this.pen.text(LEFT, [name]);
    }
    for (const line of [customer.street, customer.town]) {
      this.pen.y += this.pen.step;
      this.pen.text(LEFT, [line]);
    }
    if (this.pen.data.customerVatId) {
      this.pen.y += this.pen.step;
      this.pen.text(LEFT, [
        `${this.pen.label('customerVatId')}: `,
        this.pen.vatId('customer.vat_id', this.pen.data.customerVatId),
      ]);
    }
    this.pen.y += this.pen.step;
  }

  private facts(): Fact[] {
    const { data } = this.pen;
    const day = (path: string, iso: string) => this.pen.value(path, iso, this.pen.date(iso));
    const all: readonly (readonly [Concept, Written | undefined])[] = [
      ['invoiceNumber', this.pen.value('invoice_number', data.number, data.number)],
      ['invoiceDate', day('invoice_date', data.date)],
      ['serviceDate', data.serviceDate ? day('-service', data.serviceDate) : undefined],
      ['dueDate', data.dueDate ? day('due_date', data.dueDate) : undefined],
      [
        'orderNumber',
        data.orderNumber ? this.pen.value('order_number', data.orderNumber, data.orderNumber) : undefined,
      ],
      [
        'customerNumber',
        data.customerNumber ? this.pen.value('customer_number', data.customerNumber, data.customerNumber) : undefined,
      ],
      [
        'supplierVatId',
        this.pen.layout.bank === 'facts' && data.supplier.vatId
          ? this.pen.vatId('supplier.vat_id', data.supplier.vatId)
          : undefined,
      ],
    ];
    return all.flatMap(([concept, value]) => (value ? [{ label: this.pen.label(concept), value }] : []));
  }

  private writeFacts(): void {
    const facts = this.facts();
    const { facts: form, factsAt } = this.pen.layout;
    const x = factsAt === 'right' ? 330 : LEFT;
    if (form === 'row' || form === 'frame') return this.writeGrid(facts, form === 'frame');
    if (form === 'pairs') {
      for (let index = 0; index < facts.length; index += 2) {
        for (const [place, fact] of facts.slice(index, index + 2).entries()) {
          const width = factsAt === 'right' ? 140 : 250;
          this.pen.text((factsAt === 'right' ? 280 : LEFT) + place * width, [`${fact.label}: `, fact.value]);
        }
        this.pen.y += this.pen.step;
      }
      return;
    }
    for (const { label, value } of facts) {
      if (form === 'colon') this.pen.text(x, [`${label}: `, value]);
      else {
        this.pen.text(x, [label]);
        this.pen.text(x + 150, [value]);
      }
      this.pen.y += this.pen.step;
    }
  }

  /** Labels in a row, their values below. */
  private writeGrid(facts: readonly Fact[], hasFrame: boolean): void {
    const perRow = hasFrame ? 3 : 4;
    const width = (RIGHT - LEFT) / perRow;
    for (let index = 0; index < facts.length; index += perRow) {
      const row = facts.slice(index, index + perRow);
      if (hasFrame)
        for (const place of row.keys())
          this.pen.sheet.frame(LEFT + place * width, this.pen.y - 3, width, this.pen.step * 2 + 4);
      const top = this.pen.y;
      for (const [place, { label, value }] of row.entries()) {
        this.pen.y = top;
        this.pen.text(LEFT + 6 + place * width, [label], { size: this.pen.layout.size * 0.85, bold: !hasFrame });
        this.pen.y = top + this.pen.step;
        this.pen.text(LEFT + 6 + place * width, [value]);
      }
      this.pen.y = top + this.pen.step * 2 + 8;
    }
  }
}
