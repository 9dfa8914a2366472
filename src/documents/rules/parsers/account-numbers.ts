import { countrySpecs, isValidIBAN } from 'ibantools';
import { VAT_FORMS } from './vat-forms.js';

/** A number that its check digits prove. */
export interface FoundNumber {
  readonly start: number;
  readonly end: number;
  /** Without blanks and other separators. */
  readonly value: string;
}

const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}[ ]?\d{2}/gu;
const VAT_START = /(?<![\p{L}\p{N}])(?:CHE|[A-Z]{2})(?=[ -]?[A-Z]?\d|[ -]?[A-Z]{1,2}[ -]?\d)/gu;

/** Finds account numbers by their country's length and check digits, the national ones too (ISO 13616). */
export function findIbans(text: string): FoundNumber[] {
  return [...text.matchAll(IBAN_START)].flatMap(({ 0: head, index }) => {
    const length = countrySpecs[head.slice(0, 2)]?.chars;
    const found = length ? takeCharacters(text, index, length, ' ') : undefined;
    return found && isValidIBAN(found.value) ? [found] : [];
  });
}

/** Finds VAT numbers by their country's form and check digits; those without a country are none. */
export function findVatIds(text: string): FoundNumber[] {
  return [...text.matchAll(VAT_START)].flatMap(({ 0: prefix, index }) => {
    for (const { length, isValid } of VAT_FORMS[prefix] ?? []) {
      const found = takeCharacters(text, index, prefix.length + length, ' .-');
      if (found && isValid(found.value)) return [found];
    }
    return [];
  });
}

/** So many letters and digits of a text, over single separators; undefined where a word goes on behind them. */
function takeCharacters(text: string, start: number, count: number, separators: string): FoundNumber | undefined {
  let value = '';
  let at = start;
  for (; value.length < count; at += 1) {
    const character = text.charAt(at);
    if (/[A-Z0-9]/.test(character)) value += character;
    else if (character === '' || !separators.includes(character) || separators.includes(text.charAt(at + 1))) {
      return undefined;
    }
  }
  return /[\p{L}\p{N}]/u.test(text.charAt(at)) ? undefined : { start, end: at, value };
}
