import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile';
import type { Random } from '../../crash/random.js';
import { randomDigits } from './random-characters.js';

const COUNTRIES = getCountries();
const MOST_TRIES = 20;

/** Makes a number of any country that can be dialled from everywhere. */
export function makeInternationalPhone(random: Random): string {
  const number = makeNumber(random, random.pick(COUNTRIES));
  const written = number.formatInternational();
  return random.pick([number.number, written, written.replaceAll(' ', '-'), written.replace('+', '00')]);
}

/** Makes a number of the United States or Germany as it is written there. */
export function makeNationalPhone(random: Random): string {
  return makeNumber(random, random.pick(['US', 'DE'])).formatNational();
}

/** The example of a country with other digits at its end, as long as such a number can be given. */
function makeNumber(random: Random, country: CountryCode): PhoneNumber {
  const example = getExampleNumber(country, examples);
  if (!example) throw new Error(`There is no example of ${country}.`);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const number = parsePhoneNumberFromString(`${example.number.slice(0, -4)}${randomDigits(random, 4)}`);
    if (number?.isValid()) return number;
  }
  return example;
}
