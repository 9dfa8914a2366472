import type { Random } from '../../../crash/random.js';
import type { Language } from './document.types.js';

/** How a country writes numbers, dates and money. */
export interface Country {
  readonly code: 'US' | 'GB' | 'DE' | 'AT' | 'CH' | 'FR' | 'ES';
  readonly language: Language;
  readonly currency: string;
  readonly signs: readonly string[];
  readonly group: string;
  readonly decimal: string;
  readonly rates: readonly number[];
}

/** The countries of the documents; Switzerland writes in two languages. */
export const COUNTRIES: readonly Country[] = [
  { code: 'US', language: 'en', currency: 'USD', signs: ['$', 'USD'], group: ',', decimal: '.', rates: [7, 8.25, 6] },
  { code: 'GB', language: 'en', currency: 'GBP', signs: ['£', 'GBP'], group: ',', decimal: '.', rates: [20, 5] },
  { code: 'DE', language: 'de', currency: 'EUR', signs: ['€', 'EUR'], group: '.', decimal: ',', rates: [19, 7] },
  { code: 'AT', language: 'de', currency: 'EUR', signs: ['€', 'EUR'], group: '.', decimal: ',', rates: [20, 10] },
  { code: 'CH', language: 'de', currency: 'CHF', signs: ['CHF', 'Fr.'], group: '’', decimal: '.', rates: [8.1, 2.6] },
  { code: 'FR', language: 'fr', currency: 'EUR', signs: ['€', 'EUR'], group: '\u00a0', decimal: ',', rates: [20, 5.5] },
  { code: 'CH', language: 'fr', currency: 'CHF', signs: ['CHF', 'Fr.'], group: "'", decimal: '.', rates: [8.1, 2.6] },
  { code: 'ES', language: 'es', currency: 'EUR', signs: ['€', 'EUR'], group: '.', decimal: ',', rates: [21, 10] },
];

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  de: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  fr: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
};

/** A number as a country writes it. */
export function writeNumber(value: number, { group, decimal }: Country, digits = 2): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : decimal + fraction}`;
}

/** A rate without zeros that say nothing. */
export function writeRate(rate: number, { decimal }: Country): string {
  return String(rate).replace('.', decimal);
}

/** How the dates of a document are written. */
export type DateStyle = 'short' | 'long' | 'iso';

/** Picks the way in which a document writes all its dates. */
export function pickDateStyle(random: Random): DateStyle {
  return random.chance(0.6) ? 'short' : random.chance(0.8) ? 'long' : 'iso';
}

/** A day, `YYYY-MM-DD`, as a country writes it. */
export function writeDate(iso: string, { code, language }: Country, style: DateStyle): string {
  const [year, month, day] = iso.split('-') as [string, string, string];
  if (style === 'iso') return iso;
  const name = MONTHS[language][Number(month) - 1] as string;
  const number = String(Number(day));
  if (style === 'long') {
    if (code === 'US') return `${name} ${number}, ${year}`;
    if (language === 'de') return `${number}. ${name} ${year}`;
    return language === 'es' ? `${number} de ${name} de ${year}` : `${number} ${name} ${year}`;
  }
  if (code === 'US') return `${month}/${day}/${year}`;
  return language === 'de' || code === 'CH' ? `${day}.${month}.${year}` : `${day}/${month}/${year}`;
}

/** A day some days behind another. */
export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A day of the last years. */
export function pickDate(random: Random): string {
  return addDays('2022-01-03', random.between(0, 1_200));
}
