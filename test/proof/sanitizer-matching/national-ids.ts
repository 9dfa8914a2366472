import type { Random } from '../../crash/random.js';
import { randomCapitals, randomDigits, randomOf } from './random-characters.js';

/** Makes a number of the United States: no area, group or serial is zero, and no area is 666 or begins with 9. */
export function makeSsn(random: Random): string {
  const area = random.pick([random.between(1, 665), random.between(667, 899)]);
  const parts = [pad(area, 3), pad(random.between(1, 99), 2), pad(random.between(1, 9_998), 4)];
  return parts.join(random.pick(['-', '-', ' ', '.']));
}

/** Makes a number of the United Kingdom, by the prefixes that are allocated. */
export function makeNino(random: Random): string {
  const prefix = randomOf(random, [...'ABCEGHJKLMNOPRSTWXYZ'], 1) + randomOf(random, [...'ABCEGHJKLMNPRSTWXYZ'], 1);
  if (['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'].includes(prefix)) return makeNino(random);
  const parts = [prefix, ...Array.from({ length: 3 }, () => randomDigits(random, 2)), random.pick([...'ABCD'])];
  return parts.join(random.pick(['', ' ']));
}

/** Makes a German tax number: of its first ten digits one comes twice, and the last is that of ISO 7064, MOD 11,10. */
export function makeSteuerId(random: Random): string {
  const digits = shuffle(random, [...'0123456789']);
  const repeated = random.between(0, 8);
  const first = shuffle(random, [...digits.slice(0, 9), digits[repeated] ?? '']).join('');
  if (first.startsWith('0')) return makeSteuerId(random);
  let product = 10;
  for (const digit of first) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  const number = `${first}${(11 - product) % 10}`;
  return random.chance(0.5) ? number : number.replace(/(..)(...)(...)(...)/, '$1 $2 $3 $4');
}

/** Makes a French number: sex, year, month, department (also of Corsica), commune, order, and 97 less the remainder. */
export function makeNir(random: Random): string {
  const department = random.pick([pad(random.between(1, 19), 2), pad(random.between(21, 95), 2), '2A', '2B']);
  const place = `${department}${pad(random.between(1, 900), 3)}${pad(random.between(1, 999), 3)}`;
  const number = `${random.pick(['1', '2'])}${randomDigits(random, 2)}${pad(random.between(1, 12), 2)}${place}`;
  const counted = BigInt(number.replace('2A', '19').replace('2B', '18'));
  const all = `${number}${pad(Number(97n - (counted % 97n)), 2)}`;
  return random.chance(0.5) ? all : all.replace(/(.)(..)(..)(..)(...)(...)(..)/, '$1 $2 $3 $4 $5 $6 $7');
}

/** Makes a Spanish number, of a national (DNI) or a foreigner (NIE), with the letter of its remainder by 23. */
export function makeDni(random: Random): string {
  const foreign = random.chance(0.5);
  const digits = randomDigits(random, foreign ? 7 : 8);
  const first = random.between(0, 2);
  const letter = 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(foreign ? `${first}${digits}` : digits) % 23);
  return `${foreign ? 'XYZ'.charAt(first) : ''}${digits}${random.pick(['', '-'])}${letter}`;
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Makes an Italian codice fiscale; some have letters for digits, as those do that would be somebody else's as well. */
export function makeCodiceFiscale(random: Random): string {
  const digit = () => (random.chance(0.1) ? random.pick([...'LMNPQRSTUV']) : randomDigits(random, 1));
  const day = () => pad(random.pick([random.between(1, 31), random.between(41, 71)]), 2);
  const month = random.pick([...'ABCDEHLMPRST']);
  const place = `${randomCapitals(random, 1)}${digit()}${digit()}${randomDigits(random, 1)}`;
  const code = `${randomCapitals(random, 6)}${digit()}${digit()}${month}${day()}${place}`;
  let sum = 0;
  [...code].forEach((character, index) => {
    const value = parseInt(character, 36) - (character > '9' ? 10 : 0);
    sum += index % 2 === 0 ? (ODD[value] ?? 0) : value;
  });
  return `${code}${String.fromCharCode(65 + (sum % 26))}`;
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

function shuffle(random: Random, values: string[]): string[] {
  const shuffled = [...values];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = random.between(0, at);
    [shuffled[at], shuffled[other]] = [shuffled[other] ?? '', shuffled[at] ?? ''];
  }
  return shuffled;
}
