import type { Random } from '../../crash/random.js';
import { ALL_KINDS } from '../../support/probes/matched-texts.js';
import type { MatchKind, MatchRule } from '../../../src/sanitizer/matching/match.types.js';
import { makeIban } from './ibans.js';
import { makeCodiceFiscale, makeDni, makeNino, makeNir, makeSsn, makeSteuerId } from './national-ids.js';
import { makeInternationalPhone, makeNationalPhone } from './phone-numbers.js';
import { randomDigits } from './random-characters.js';

/** How strings of one sort are made. Check digits are made here, not by what looks for them. */
export interface PersonalString {
  /** The kind of the rule that has to find them. */
  readonly kind: MatchKind;
  readonly make: (random: Random) => string;
}

const WORDS = ['project aurora', 'Jürgen Klein', 'c++ guild', '極秘', 'Ångström'];

/** A rule of each kind. */
export const PERSONAL_RULES: readonly MatchRule[] = [
  ...ALL_KINDS,
  { kind: 'words', words: WORDS },
  { kind: 'regex', pattern: '(?i)CUST-[0-9]{6}' },
];

/** Every sort, by its name. */
export const PERSONAL_STRINGS: Readonly<Record<string, PersonalString>> = {
  'e-mail address': { kind: 'email', make: makeEmail },
  'phone, international': { kind: 'phone', make: makeInternationalPhone },
  'phone, national (US, DE)': { kind: 'phone', make: makeNationalPhone },
  'card number': { kind: 'credit_card', make: makeCard },
  IBAN: { kind: 'iban', make: makeIban },
  'IPv4 address': { kind: 'ip', make: makeIpv4 },
  'IPv6 address': { kind: 'ip', make: makeIpv6 },
  SSN: { kind: 'person_id', make: makeSsn },
  NINO: { kind: 'person_id', make: makeNino },
  'Steuer-ID': { kind: 'person_id', make: makeSteuerId },
  NIR: { kind: 'person_id', make: makeNir },
  'DNI, NIE': { kind: 'person_id', make: makeDni },
  'codice fiscale': { kind: 'person_id', make: makeCodiceFiscale },
  'word of a list': { kind: 'words', make: (random) => inAnyCase(random, random.pick(WORDS)) },
  'match of a pattern': { kind: 'regex', make: (random) => inAnyCase(random, `CUST-${randomDigits(random, 6)}`) },
};

const NAMES = ['jane', 'john', 'maria', 'wei', 'olu', 'anna-lena', 'd.smith', 'x7', "o'brien", 'jürgen', 'иван'];
const DOMAINS = ['example.com', 'mail.example.co.uk', 'firma.example.de', 'a-b.example.museum', 'пример.рф'];

function makeEmail(random: Random): string {
  const local = `${random.pick(NAMES)}${random.pick(['.', '_', '+', '%', '-'])}${random.pick(NAMES)}`;
  return `${local}@${random.pick(DOMAINS)}`;
}

/** How numbers of each brand begin, and how long they are. */
const CARDS: readonly (readonly [beginning: string, length: number])[] = [
  ['4', 16],
  ['4', 13],
  ['4', 19],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['36', 14],
  ['305', 14],
  ['6011', 16],
  ['65', 16],
  ['3530', 16],
  ['62', 18],
  ['5018', 16],
];
const CARD_GROUPS: Readonly<Record<number, RegExp>> = {
  14: /^(.{4})(.{6})(.{4})$/,
  15: /^(.{4})(.{6})(.{5})$/,
  16: /^(.{4})(.{4})(.{4})(.{4})$/,
  19: /^(.{4})(.{4})(.{4})(.{4})(.{3})$/,
};

/** With the check digit of Luhn's. */
function makeCard(random: Random): string {
  const [beginning, length] = random.pick(CARDS);
  const digits = `${beginning}${randomDigits(random, length - beginning.length - 1)}`;
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  const number = `${digits}${(10 - (sum % 10)) % 10}`;
  const groups = CARD_GROUPS[length]?.exec(number)?.slice(1) ?? [number];
  return groups.join(random.pick(['', ' ', '-', '.']));
}

function makeIpv4(random: Random): string {
  return Array.from({ length: 4 }, () => random.between(0, 255)).join('.');
}

function makeIpv6(random: Random): string {
  const group = () => random.between(4_096, 65_535).toString(16);
  const groups = (length: number) => Array.from({ length }, group).join(':');
  const address = random.pick([groups(8), `2001:db8:${groups(2)}::${groups(2)}`, `fe80::${groups(4)}`, 'fdaa::1']);
  return random.chance(0.2) ? `::ffff:${makeIpv4(random)}` : address;
}

function inAnyCase(random: Random, text: string): string {
  return random.pick([text, text.toLowerCase(), text.toUpperCase()]);
}
