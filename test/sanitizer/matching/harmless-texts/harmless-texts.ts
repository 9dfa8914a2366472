import type { Random } from '../../../crash/random.js';

/** Texts of one sort in which no personal data is. */
export interface HarmlessTexts {
  /** What they are. */
  readonly sort: string;
  readonly make: (random: Random) => string;
}

const HEX = [...'0123456789abcdef'];
const CAPITALS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ'];
const WORDS = [
  'order',
  'invoice',
  'pump',
  'valve',
  'report',
  'meeting',
  'budget',
  'server',
  'release',
  'customer',
  'team',
];

/** What business texts are full of and could be taken for personal data. */
export const HARMLESS_TEXTS: readonly HarmlessTexts[] = [
  {
    sort: 'order numbers',
    make: (random) => `Order ${random.pick(['', 'no. ', '#'])}${numberOf(random, random.between(5, 10))} was paid`,
  },
  { sort: 'long order numbers', make: (random) => `PO-${numberOf(random, random.between(11, 13))} is on its way` },
  {
    sort: 'tracking numbers',
    make: (random) => `1Z${capitals(random, 3)}${digits(random, 10)} and ${numberOf(random, 12)}`,
  },
  {
    sort: 'versions',
    make: (random) =>
      `Version ${random.between(0, 30)}.${random.between(0, 40)}.${random.between(0, 99)}-rc.${random.between(1, 9)}`,
  },
  {
    sort: 'versions in four parts',
    make: (random) =>
      `${random.chance(0.05) ? 'Upgrade to ' : random.pick(VERSION_BEGINNINGS)}${random.between(1, 30)}.${random.between(0, 40)}.${random.between(0, 99)}.${random.between(0, 255)}`,
  },
  { sort: 'dates of ISO 8601', make: (random) => `from ${isoDate(random)} to ${isoDate(random)}` },
  { sort: 'times of ISO 8601', make: (random) => `${isoDate(random)}T${time(random)}.${digits(random, 3)}Z started` },
  {
    sort: 'dates of other countries',
    make: (random) =>
      `on ${[two(random, 28), two(random, 12), random.between(1990, 2030)].join(random.pick(['.', '/', '-']))} at noon`,
  },
  {
    sort: 'epoch milliseconds',
    make: (random) => `{"ts":${random.between(1_500_000, 1_900_000)}${digits(random, 6)},"n":${random.between(1, 99)}}`,
  },
  { sort: 'epoch seconds', make: (random) => `exp=${random.between(1_500_000, 1_900_000)}${digits(random, 3)}` },
  { sort: 'UUIDs', make: (random) => `id ${[8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')} deleted` },
  { sort: 'hashes of git', make: (random) => `commit ${hex(random, 40)} (${hex(random, 8)})` },
  {
    sort: 'programs',
    make: (random) => random.pick(PROGRAMS).replace('$1', random.pick(WORDS)).replace('$2', digits(random, 3)),
  },
  {
    sort: 'decorators and packages',
    make: (random) => random.pick(AT_SIGNS).replace('$1', random.pick(WORDS)).replace('$2', digits(random, 1)),
  },
  {
    sort: 'prices',
    make: (random) =>
      `${random.pick(['€', '$', 'EUR '])}${random.between(1, 999)},${digits(random, 3)}.${digits(random, 2)} net, ${random.between(1, 99)} % off`,
  },
  { sort: 'tables of numbers', make: (random) => Array.from({ length: 4 }, () => row(random, 6)).join('\n') },
  {
    sort: 'decimal numbers',
    make: (random) => `mean 0.${digits(random, 16)}, sd ${random.between(1, 99)}.${digits(random, 12)}`,
  },
  {
    sort: 'ISBNs',
    make: (random) => `ISBN 978-${random.between(0, 5)}-${digits(random, 4)}-${digits(random, 4)}-${digits(random, 1)}`,
  },
  {
    sort: 'serial numbers',
    make: (random) =>
      `S/N ${capitals(random, 3)}${digits(random, 8)}, ${capitals(random, 2)}-${digits(random, 4)}-${capitals(random, 2)}`,
  },
  {
    sort: 'coordinates',
    make: (random) =>
      `${random.between(-80, 80)}.${digits(random, 6)}, ${random.between(-170, 170)}.${digits(random, 6)}`,
  },
  {
    sort: 'style sheets',
    make: (random) =>
      `a::before{margin:${random.between(0, 9)}px ${random.between(0, 99)}px;color:#${hex(random, 6)};z-index:${digits(random, 4)}}`,
  },
  {
    sort: 'lines of logs',
    make: (random) =>
      `[${time(random)}] pid=${digits(random, 5)} GET /v1/${random.pick(WORDS)}/${digits(random, 7)} 200 ${digits(random, 3)}ms`,
  },
  {
    sort: 'part numbers',
    make: (random) => `P/N ${digits(random, 3)}-${digits(random, 4)}-${digits(random, 2)} rev ${random.pick(CAPITALS)}`,
  },
  {
    sort: 'measurements',
    make: (random) =>
      `${random.between(10, 99)} x ${random.between(10, 99)} mm, ${random.between(100, 999)} ${digits(random, 3)} units at ${random.between(1, 40)} °C`,
  },
  {
    sort: 'prose with numbers',
    make: (random) =>
      `In ${random.between(1950, 2030)} the ${random.pick(WORDS)} grew from ${random.between(1_000, 9_999)} to ${random.between(1_000, 99_999)} (${random.between(1, 99)} %).`,
  },
];

const VERSION_BEGINNINGS = [
  'v',
  'Version ',
  'version: ',
  'version=',
  'ver. ',
  'Ver ',
  '"version":"',
  'version: v',
  'API version ',
  'server version ',
];
const PROGRAMS = [
  'std::map<int, std::string> $1 = make::$1($2);',
  'const $1 = list[$2 * 2] + offset - 0x$2; // see #$2',
  'for (let i = 0; i < $2; i += 1) $1.push(i % 7);',
  'a[::2], b[1::3], face::add($1, $2)',
  'use dead::beef; let $1 = 1_000_$2;',
  'if ($1 && !done) { x = y ? $2 : -1; }',
  '"$1": {"line": $2, "column": 12, "hash": "a1:b2:c3"}',
];
const AT_SIGNS = [
  '@Injectable() export class $1 {}',
  'ssh root@$1 uptime',
  'npm install $1@$2.4.1',
  'import x from "@$1/core"',
  '$1@2x.png and $1@3x.png',
  '@media (min-width: $200px)',
  'thanks @$1 for #12',
  'user@localhost:$1',
];

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => random.between(0, 9)).join('');
}

/** Without zeros before it, but for one in ten that is filled up with them. */
function numberOf(random: Random, length: number): string {
  const number = `${random.between(1, 9)}${digits(random, length - 1)}`;
  return random.chance(0.1) ? number.padStart(length + 3, '0') : number;
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(HEX)).join('');
}

function capitals(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(CAPITALS)).join('');
}

function two(random: Random, most: number): string {
  return String(random.between(1, most)).padStart(2, '0');
}

function isoDate(random: Random): string {
  return `${random.between(1990, 2030)}-${two(random, 12)}-${two(random, 28)}`;
}

function time(random: Random): string {
  return `${two(random, 23)}:${two(random, 59)}:${two(random, 59)}`;
}

function row(random: Random, cells: number): string {
  return Array.from({ length: cells }, () => String(random.between(0, 10 ** random.between(1, 5)))).join(
    random.pick([' ', '  ', '\t']),
  );
}
