import { PAGE } from '../set/sheet.js';
import type { Sheet } from '../set/sheet.js';
import { InvoiceHead } from './invoice-head.js';
import { LEFT } from './invoice-pen.js';
import type { InvoicePen } from './invoice-pen.js';
import { InvoiceTable } from './invoice-table.js';
import { WORDS } from './invoice-words.js';

/** Writes one invoice. @returns the file, and what is right about it */
export async function writeInvoice(pen: InvoicePen): Promise<{ readonly pdf: Buffer; readonly truth: Sheet['truth'] }> {
  new InvoiceHead(pen).write();
  new InvoiceTable(pen).write();
  writeFoot(pen);
  return { pdf: await pen.sheet.end(), truth: pen.sheet.truth };
}

function writeFoot(pen: InvoicePen): void {
  const { data, layout } = pen;
  const words = WORDS[data.country.language];
  pen.y += pen.step;
  pen.text(LEFT, [words.thanks]);
  pen.y += pen.step;
  pen.text(LEFT, [words.terms]);
  const vat =
    data.supplier.vatId && layout.bank !== 'facts'
      ? [`${pen.label('supplierVatId')}: `, pen.vatId('supplier.vat_id', data.supplier.vatId)]
      : [];
  const iban = data.iban
    ? [`${pen.label('iban')}: `, pen.value('supplier.iban', data.iban.replaceAll(' ', ''), data.iban)]
    : [];
  const name =
    layout.supplier === 'footer'
      ? [
          pen.value('supplier.name', data.supplier.name, data.supplier.name),
          ` · ${data.supplier.street} · ${data.supplier.town}`,
        ]
      : [];
  if (layout.bank === 'block') {
    for (const parts of [iban, vat, [words.register]].filter((some) => some.length > 0)) {
      pen.y += pen.step;
      pen.text(LEFT, parts);
    }
    return;
  }
  pen.y = 785;
  const lines = [
    name,
    [...vat, vat.length > 0 ? ' · ' : '', words.register, ' · ', words.phone, ` ${data.supplier.phone}`],
    iban,
  ];
  for (const parts of lines.filter((some) => some.length > 0)) {
    pen.text(PAGE.width / 2, parts, { size: 8, align: 'center' });
    pen.y += 11;
  }
}
