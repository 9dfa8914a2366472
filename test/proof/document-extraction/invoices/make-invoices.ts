import { Random } from '../../../crash/random.js';
import type { SetDocument } from '../set/document.types.js';
import { HELD_OUT_LANGUAGE } from '../set/label-split.js';
import { COUNTRIES } from '../set/writing.js';
import type { Country } from '../set/writing.js';
import { makeInvoice } from './invoice-data.js';
import { INVOICE_SCHEMA } from './invoice-schema.js';
import { InvoicePen } from './invoice-pen.js';
import { writeInvoice } from './invoice-writer.js';
import { LAYOUTS } from './layouts.js';
import type { InvoiceLayout } from './layouts.js';

/** How the documents of the set follow each other: languages, labels and layouts in all combinations. */
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

/** Writes invoices, one after another; the first ones are the same whatever the count. */
export async function* makeInvoices(count: number, seed: number): AsyncGenerator<SetDocument> {
  for (let index = 0; index < count; index += 1) {
    const random = new Random(seed * 1_000_003 + index);
    const layout = LAYOUTS[index % LAYOUTS.length] as InvoiceLayout;
    const language = LANGUAGES[Math.floor(index / LAYOUTS.length) % LANGUAGES.length];
    const hasHeldOutLabels = (index + Math.floor(index / (LAYOUTS.length * LANGUAGES.length))) % 3 === 2;
    const country = random.pick(COUNTRIES.filter((some) => some.language === language)) as Country;
    const data = makeInvoice(random, country);
    const { pdf, truth } = await writeInvoice(new InvoicePen(data, layout, random, hasHeldOutLabels));
    const heldOut = [
      layout.isHeldOut ? 'layout' : undefined,
      hasHeldOutLabels ? 'labels' : undefined,
      country.language === HELD_OUT_LANGUAGE ? 'language' : undefined,
    ].filter((reason) => reason !== undefined) as SetDocument['heldOut'];
    yield {
      id: `invoice-${index}`,
      kind: 'invoice',
      language: country.language,
      layout: layout.name,
      heldOut,
      schema: INVOICE_SCHEMA,
      pdf,
      truth: new Map([...truth].filter(([path]) => !path.startsWith('-'))),
    };
  }
}
