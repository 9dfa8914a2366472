import { validate as isAustrian } from 'stdnum/lib/cjs/at/uid.js';
import { validate as isBelgian } from 'stdnum/lib/cjs/be/vat.js';
import { validate as isSwiss } from 'stdnum/lib/cjs/ch/uid.js';
import { validate as isCzech } from 'stdnum/lib/cjs/cz/dic.js';
import { validate as isGerman } from 'stdnum/lib/cjs/de/vat.js';
import { validate as isDanish } from 'stdnum/lib/cjs/dk/cvr.js';
import { validate as isSpanishCompany } from 'stdnum/lib/cjs/es/cif.js';
import { validate as isSpanish } from 'stdnum/lib/cjs/es/nif.js';
import { validate as isFinnish } from 'stdnum/lib/cjs/fi/alv.js';
import { validate as isFrench } from 'stdnum/lib/cjs/fr/tva.js';
import { validate as isBritish } from 'stdnum/lib/cjs/gb/vat.js';
import { validate as isIrish } from 'stdnum/lib/cjs/ie/vat.js';
import { validate as isItalian } from 'stdnum/lib/cjs/it/iva.js';
import { validate as isLuxembourgish } from 'stdnum/lib/cjs/lu/tva.js';
import { validate as isDutch } from 'stdnum/lib/cjs/nl/btw.js';
import { validate as isPolish } from 'stdnum/lib/cjs/pl/nip.js';
import { validate as isPortuguese } from 'stdnum/lib/cjs/pt/nif.js';
import { validate as isSwedish } from 'stdnum/lib/cjs/se/vat.js';

/** One form of the VAT numbers of a country. */
export interface VatForm {
  /** Characters behind the country. */
  readonly length: number;
  /** Takes the number with its country, without separators. */
  isValid(value: string): boolean;
}

type Validate = (value: string) => { readonly isValid: boolean };

/** @param skipped characters of the country that its check does not take */
function forms(check: Validate, lengths: readonly number[], skipped = 0): readonly VatForm[] {
  return lengths.map((length) => ({ length, isValid: (value) => check(value.slice(skipped)).isValid }));
}

/** The VAT numbers whose check digits are known, by what they begin with; the longest form of each first. */
export const VAT_FORMS: Readonly<Record<string, readonly VatForm[]>> = {
  AT: forms(isAustrian, [9]),
  BE: forms(isBelgian, [10]),
  CHE: forms(isSwiss, [9]),
  CZ: forms(isCzech, [10, 9, 8]),
  DE: forms(isGerman, [9]),
  DK: forms(isDanish, [8], 2),
  ES: [...forms(isSpanishCompany, [9], 2), ...forms(isSpanish, [9], 2)],
  FI: forms(isFinnish, [8]),
  FR: forms(isFrench, [11]),
  GB: forms(isBritish, [12, 9]),
  IE: forms(isIrish, [9, 8]),
  IT: forms(isItalian, [11]),
  LU: forms(isLuxembourgish, [8]),
  NL: forms(isDutch, [12]),
  PL: forms(isPolish, [10]),
  PT: forms(isPortuguese, [9], 2),
  SE: forms(isSwedish, [12]),
};
