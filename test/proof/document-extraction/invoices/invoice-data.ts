import type { Random } from '../../../crash/random.js';
import type { Language } from '../set/document.types.js';
import { digits, makeParty } from '../set/people.js';
import type { Party } from '../set/people.js';
import { addDays, pickDate } from '../set/writing.js';
import type { Country } from '../set/writing.js';

/** One line of an invoice. */
export interface InvoiceItem {
  readonly description: string;
  readonly note?: string;
  readonly article: string;
  readonly unit: string;
  readonly quantity: number;
  readonly price: number;
  readonly amount: number;
}

/** What an invoice says; what is undefined it does not. */
export interface InvoiceData {
  readonly country: Country;
  readonly number: string;
  readonly date: string;
  readonly dueDate?: string;
  readonly serviceDate?: string;
  readonly orderNumber?: string;
  readonly customerNumber?: string;
  readonly supplier: Party;
  readonly customer: Party;
  readonly customerVatId?: string;
  readonly iban?: string;
  readonly items: readonly InvoiceItem[];
  readonly net: number;
  readonly rate: number;
  readonly tax: number;
  readonly total: number;
}

const THINGS: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  en: [
    ['Steel bracket 40 mm', 'pcs'],
    ['Copy paper A4, 80 g', 'box'],
    ['On-site installation', 'h'],
    ['LED panel 600x600', 'pcs'],
    ['Network cable Cat 6', 'm'],
    ['Consulting, senior', 'h'],
    ['Filter cartridge F7', 'pcs'],
    ['Annual licence, standard', 'pcs'],
    ['Freight pallet', 'pcs'],
    ['Cleaning agent, concentrate', 'l'],
  ],
  de: [
    ['Stahlwinkel verzinkt 40 mm', 'Stk'],
    ['Kopierpapier A4, 80 g', 'Pck'],
    ['Montage vor Ort', 'Std'],
    ['LED-Einbauleuchte rund', 'Stk'],
    ['Netzwerkkabel Cat 6', 'm'],
    ['Beratung, Fachkraft', 'Std'],
    ['Filterpatrone F7', 'Stk'],
    ['Jahreslizenz Standard', 'Stk'],
    ['Europalette, getauscht', 'Stk'],
    ['Reinigungskonzentrat', 'l'],
  ],
  fr: [
    ['Équerre acier 40 mm', 'pce'],
    ['Papier A4, ramette', 'pce'],
    ['Installation sur site', 'h'],
    ['Dalle LED 600x600', 'pce'],
    ['Câble réseau Cat 6', 'm'],
    ['Conseil, expert', 'h'],
    ['Cartouche filtrante F7', 'pce'],
    ['Licence annuelle standard', 'pce'],
    ['Palette de transport', 'pce'],
    ['Nettoyant concentré', 'l'],
  ],
  es: [
    ['Escuadra de acero 40 mm', 'ud'],
    ['Papel A4, paquete', 'ud'],
    ['Instalación in situ', 'h'],
    ['Panel LED 600x600', 'ud'],
    ['Cable de red Cat 6', 'm'],
    ['Consultoría, sénior', 'h'],
    ['Cartucho filtrante F7', 'ud'],
    ['Licencia anual estándar', 'ud'],
    ['Palé de transporte', 'ud'],
    ['Limpiador concentrado', 'l'],
  ],
};
const NOTES: Readonly<Record<Language, string>> = {
  en: 'as agreed by telephone',
  de: 'wie telefonisch besprochen',
  fr: 'selon notre entretien',
  es: 'según lo acordado',
};

/** Makes what an invoice says, in 1 to 60 lines. */
export function makeInvoice(random: Random, country: Country): InvoiceData {
  const date = pickDate(random);
  const items = Array.from({ length: pickLines(random) }, () => makeItem(random, country.language));
  const net = round(items.reduce((sum, { amount }) => sum + amount, 0));
  const rate = random.pick(country.rates);
  const tax = round((net * rate) / 100);
  const customer = makeParty(random, country, true);
  const optional = <T>(share: number, value: () => T): T | undefined => (random.chance(share) ? value() : undefined);
  return compact({
    country,
    number: makeNumber(random, date),
    date,
    dueDate: optional(0.85, () => addDays(date, random.pick([7, 10, 14, 21, 30, 45, 60]))),
    serviceDate: optional(0.3, () => addDays(date, -random.between(1, 20))),
    orderNumber: optional(0.5, () =>
      random.pick([`PO-${digits(random, 6)}`, `45${digits(random, 8)}`, `B${digits(random, 5)}`]),
    ),
    customerNumber: optional(0.5, () =>
      random.pick([`K-${digits(random, 5)}`, `1${digits(random, 4)}`, `C${digits(random, 6)}`]),
    ),
    supplier: makeParty(random, country, false),
    customer,
    customerVatId: optional(0.35, () => customer.vatId) || undefined,
    iban: country.code === 'US' ? undefined : optional(0.9, () => ''),
    items,
    net,
    rate,
    tax,
    total: round(net + tax),
  });
}

function compact({ iban, ...data }: { [Key in keyof InvoiceData]: InvoiceData[Key] | undefined }): InvoiceData {
  const known = Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined),
  ) as unknown as InvoiceData;
  return iban === undefined ? known : { ...known, iban: known.supplier.iban };
}

function pickLines(random: Random): number {
  if (random.chance(0.7)) return random.between(1, 8);
  return random.chance(0.7) ? random.between(9, 25) : random.between(26, 60);
}

function makeItem(random: Random, language: Language): InvoiceItem {
  const [description, unit] = random.pick(THINGS[language]);
  const isTime = ['h', 'Std'].includes(unit);
  const quantity = isTime ? random.between(1, 40) / 2 : random.pick([1, 2, 3, 4, 5, 8, 10, 12, 20, 24, 50, 100, 250]);
  const price =
    random.pick([random.between(90, 3_000), random.between(500, 25_000), random.between(5_000, 190_000)]) / 100;
  const note = random.chance(0.12) ? { note: NOTES[language] } : {};
  return {
    description,
    ...note,
    article: `${random.pick(['A', 'X', 'MT'])}-${digits(random, 4)}`,
    unit,
    quantity,
    price,
    amount: round(quantity * price),
  };
}

function makeNumber(random: Random, date: string): string {
  const year = date.slice(0, 4);
  return random.pick([
    `INV-${year}-${digits(random, 4)}`,
    `${year}${digits(random, 5)}`,
    `RE${digits(random, 6)}`,
    `${digits(random, 3)}/${year}`,
    `F-${digits(random, 5)}`,
    `R${year}-${digits(random, 3)}`,
  ]);
}

function round(value: number): number {
  return Math.round(value * 100 + Number.EPSILON * 100) / 100;
}
