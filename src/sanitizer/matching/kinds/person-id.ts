import { validate as isSpanishDni } from 'stdnum/lib/cjs/es/dni.js';
import { validate as isSpanishNie } from 'stdnum/lib/cjs/es/nie.js';
import { validate as isFrenchNir } from 'stdnum/lib/cjs/fr/nir.js';
import { validate as isBritishNino } from 'stdnum/lib/cjs/gb/nino.js';
import { validate as isGermanIdNr } from 'stdnum/lib/cjs/de/idnr.js';
import { validate as isItalianCodiceFiscale } from 'stdnum/lib/cjs/it/codicefiscale.js';
import { validate as isAmericanSsn } from 'stdnum/lib/cjs/us/ssn.js';
import type { IdForm } from './compact-id.js';
import { SEPARATOR } from './number-run.js';
import type { NumberKind } from './numbers.js';

/** A national number of persons that has letters. */
export interface LettersId {
  readonly form: IdForm;
  /** Says whether letters and digits of the form, without separators and in capital letters, are such a number. */
  isValid(value: string): boolean;
}

/** Numbers of digits alone: of the United States, Germany and France. */
export const DIGITS_IDS: readonly NumberKind[] = [
  {
    form: {
      digits: [9, 9],
      groupings: [[3, 2, 4]],
      takesAnyGroups: false,
      isLikeTable: true,
      separators: SEPARATOR.space | SEPARATOR.dash | SEPARATOR.dot,
    },
    isValid: (digits) => isAmericanSsn(digits).isValid && !digits.endsWith('0000'),
  },
  {
    form: {
      digits: [11, 11],
      groupings: [[11], [2, 3, 3, 3]],
      takesAnyGroups: true,
      isLikeTable: false,
      separators: SEPARATOR.space | SEPARATOR.dash | SEPARATOR.slash,
    },
    isValid: (digits) => isGermanIdNr(digits).isValid && repeatsAsGermanIdNr(digits),
  },
  {
    form: {
      digits: [15, 15],
      groupings: [[15], [13, 2], [1, 2, 2, 2, 3, 3, 2]],
      takesAnyGroups: true,
      isLikeTable: false,
      separators: SEPARATOR.space | SEPARATOR.dash | SEPARATOR.dot,
    },
    isValid: isNir,
  },
];

/** Numbers with letters: of the United Kingdom, Spain (two), Italy, and of France for those born in Corsica. */
export const LETTERS_IDS: readonly LettersId[] = [
  { form: formOf('LLddddddL'), isValid: (value) => isBritishNino(value).isValid },
  { form: formOf('LdddddddL'), isValid: (value) => isSpanishNie(value).isValid },
  { form: formOf('ddddddddL'), isValid: (value) => isSpanishDni(value).isValid },
  { form: formOf('ddddddLdddddddd'), isValid: isNir },
  { form: formOf('LLLLLLxxLxxLxxxL'), isValid: (value) => isItalianCodiceFiscale(value).isValid },
];

function formOf(characters: string): IdForm {
  return { characters, smallGroups: 0 };
}

/** The library lets all repetitions pass: one digit comes twice or three times in the first ten, the others once. */
function repeatsAsGermanIdNr(digits: string): boolean {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3;
}

/** The sex is 1 to 4, 7 or 8; the month 1 to 12, or 20 and more where it is not known. */
function isNir(value: string): boolean {
  const month = Number(value.slice(3, 5));
  return /^[1-478]/.test(value) && ((month >= 1 && month <= 12) || month >= 20) && isFrenchNir(value).isValid;
}
