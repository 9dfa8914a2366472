import type { Random } from '../../crash/random.js';
import { randomCapitals, randomCharacters, randomDigits } from './random-characters.js';

/** What follows the check digits in countries, as SWIFT's registry of IBANs writes it: n digits, a letters, c both. */
const STRUCTURES = [
  'AE 19n',
  'AT 16n',
  'BE 12n',
  'BR 23n1a1c',
  'CH 5n12c',
  'CY 8n16c',
  'DE 18n',
  'ES 20n',
  'FI 14n',
  'FR 10n11c2n',
  'GB 4a14n',
  'IE 4a14n',
  'IT 1a10n12c',
  'LC 4a24c',
  'MT 4a5n18c',
  'NL 4a10n',
  'NO 11n',
  'PL 24n',
  'PT 21n',
  'RU 14n15c',
  'SA 2n18c',
  'SE 20n',
  'TR 5n1n16c',
];

/** Makes an IBAN of any country, with the check digits of ISO 7064, MOD 97-10, written in one of the usual ways. */
export function makeIban(random: Random): string {
  const [country = '', structure = ''] = random.pick(STRUCTURES).split(' ');
  const account = structure.replaceAll(/(\d+)([nac])/g, (_all, length: string, type: string) => {
    const make = type === 'n' ? randomDigits : type === 'a' ? randomCapitals : randomCharacters;
    return make(random, Number(length));
  });
  const iban = `${country}${checkDigits(country, account)}${account}`;
  const separator = random.pick(['', ' ', '-']);
  const written = iban.replaceAll(/(.{4})(?=.)/g, `$1${separator}`);
  return random.chance(0.2) ? written.toLowerCase() : written;
}

function checkDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => parseInt(character, 36)).join('');
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}
