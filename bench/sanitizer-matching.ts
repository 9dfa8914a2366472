/**
 * Measures how fast texts are looked through for personal data, in this process, and prints MB/s.
 *
 *   npx tsx bench/sanitizer-matching.ts [--growth]
 *
 * `--growth` times texts that are made to be slow instead, at one and at ten times the length.
 */
import { parseArgs } from 'node:util';
import { TextMatcher } from '../src/sanitizer/matching/text-matcher.js';
import type { MatchRule } from '../src/sanitizer/matching/match.types.js';

const MEGABYTE = 1_000_000;
/** The clock of a thread may go in steps of 4 ms. */
const LENGTH = 5 * MEGABYTE;
const SLICE = 65_536;

const BUILTIN: readonly MatchRule[] = [
  { kind: 'email' },
  { kind: 'phone', region: 'US' },
  { kind: 'phone', region: 'DE' },
  { kind: 'credit_card' },
  { kind: 'iban' },
  { kind: 'ip' },
  { kind: 'person_id' },
];
const WORDS: MatchRule = {
  kind: 'words',
  words: Array.from({ length: 1_000 }, (_, index) =>
    `${toName(index)} ${toName(index * 7 + 3)}`.slice(0, 8 + (index % 9)),
  ),
};

const PROSE = `The committee met again in the afternoon and went through the proposals that had been handed in during
spring. Most members agreed that the new building should stand near the river, while a few would rather have kept the
old site. Nobody doubted that something had to be done before winter, and so a decision was put off until June. `;
const CODE = `export function parseHeader(line: string): Header | undefined {
  const separator = line.indexOf(':');
  if (separator < 0) return undefined;
  return { name: line.slice(0, separator).trim().toLowerCase(), value: line.slice(separator + 1).trim() };
}
`;
const JSON_TEXT = `{"id": "order", "items": [{"sku": "chair-black", "count": 4, "price": 129.95}, {"sku": "desk", "count": 1,
"price": 480}], "status": "shipped", "note": "leave at the door", "tags": ["office", "furniture"]}, `;

const { values } = parseArgs({ options: { growth: { type: 'boolean', default: false } } });
if (values.growth) printGrowth();
else printSpeed();

function printSpeed(): void {
  const builtin = new TextMatcher(BUILTIN);
  const all = new TextMatcher([...BUILTIN, WORDS]);
  const literal = new TextMatcher(makePatterns((name) => `${name}-[0-9]{4,8}\\b`));
  const late = new TextMatcher(makePatterns((name) => `[a-z]+_${name}=\\w+`));
  const insensitive = new TextMatcher(makePatterns((name) => `(?i)\\b${name} (?:plan|report)\\b`));
  const bare = new TextMatcher([{ kind: 'regex', pattern: '\\b[A-Z][a-z]+ [A-Z][a-z]+ [A-Z]{2}\\b' }]);
  const texts = { prose: PROSE, code: CODE, JSON: JSON_TEXT, mixed: PROSE + CODE + JSON_TEXT };
  for (const [name, text] of Object.entries(texts)) {
    printRow(`builtin kinds, ${name}`, builtin, repeat(text, LENGTH), SLICE);
    printRow(`builtin kinds and 1,000 words, ${name}`, all, repeat(text, LENGTH), SLICE);
  }
  printRow('builtin kinds and 1,000 words, mixed, pieces of 4', all, repeat(texts.mixed, MEGABYTE), 4);
  printRow('100 patterns that begin with a literal, mixed', literal, repeat(texts.mixed, LENGTH), SLICE);
  printRow('100 patterns with a literal in the middle, mixed', late, repeat(texts.mixed, LENGTH), SLICE);
  printRow('100 patterns in any case, mixed', insensitive, repeat(texts.mixed, LENGTH), SLICE);
  printRow('1 pattern without a literal, mixed', bare, repeat(texts.mixed, LENGTH), SLICE);
}

function printGrowth(): void {
  const matcher = new TextMatcher([
    ...BUILTIN,
    WORDS,
    { kind: 'regex', pattern: 'EMP-\\d{4}' },
    { kind: 'regex', pattern: '[a-z]{1,40}=\\w{1,40}' },
  ]);
  const units = [
    '7',
    '@',
    'a@',
    'a.',
    '1 ',
    '4',
    '&',
    '\\',
    '%',
    'a',
    '1.',
    ':',
    '+',
    '+1',
    '00',
    '(',
    '-',
    'é',
    '中',
    '\u200b ',
  ];
  for (const unit of units) {
    for (const [piece, length] of [
      [SLICE, MEGABYTE],
      [1, MEGABYTE / 20],
    ] as const) {
      const short = seconds(matcher, repeat(unit, length / 10), piece);
      const long = seconds(matcher, repeat(unit, length), piece);
      const megabyte = ((long / length) * MEGABYTE).toFixed(2);
      const growth = (long / short).toFixed(1);
      console.log(
        `${JSON.stringify(unit).padEnd(10)} pieces of ${piece}: ${megabyte} s/MB, ${growth} times that of a tenth`,
      );
    }
  }
}

function printRow(name: string, matcher: TextMatcher, text: string, piece: number): void {
  seconds(matcher, text, piece);
  const times = Array.from({ length: 3 }, () => seconds(matcher, text, piece)).sort((one, other) => one - other);
  console.log(`${(text.length / MEGABYTE / (times[1] ?? 1)).toFixed(1).padStart(8)} MB/s  ${name}`);
}

/** How long a text takes the processor, which ends early where more would be held back than may be. */
function seconds(matcher: TextMatcher, text: string, piece: number): number {
  const startedAt = threadSeconds();
  const scan = matcher.scan();
  try {
    for (let at = 0; at < text.length; at += piece) scan.write(text.slice(at, at + piece));
    scan.end();
  } catch (error) {
    console.log(`  ${String(error)}`);
  }
  return threadSeconds() - startedAt;
}

/** The processor time of this thread: what others do on the machine does not count. */
function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000_000;
}

function makePatterns(make: (name: string) => string): MatchRule[] {
  return Array.from({ length: 100 }, (_, index) => ({ kind: 'regex', pattern: make(toName(index + 50)) }) as const);
}

/** A name of letters for a number. */
function toName(number: number): string {
  const syllables = ['ka', 'zo', 'mir', 'tel', 'un', 'quo', 'ber', 'sy', 'dan', 'vi'];
  return [...String(number * 31 + 1000)].map((digit) => syllables[Number(digit)]).join('');
}

function repeat(text: string, length: number): string {
  return Buffer.from(text.repeat(Math.ceil(length / text.length)).slice(0, length)).toString();
}
