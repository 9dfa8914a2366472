import type { Random } from '../../crash/random.js';

const DIGITS = [...'0123456789'];
const CAPITALS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Makes a row of random digits. */
export function randomDigits(random: Random, length: number): string {
  return randomOf(random, DIGITS, length);
}

/** Makes a row of random capital letters. */
export function randomCapitals(random: Random, length: number): string {
  return randomOf(random, CAPITALS, length);
}

/** Makes a row of random capital letters and digits. */
export function randomCharacters(random: Random, length: number): string {
  return randomOf(random, [...DIGITS, ...CAPITALS], length);
}

/** Makes a row of characters that are picked from these. */
export function randomOf(random: Random, characters: readonly string[], length: number): string {
  return Array.from({ length }, () => random.pick(characters)).join('');
}
