import type { MatchKind } from '../../../src/sanitizer/matching/match.types.js';
import type { Random } from '../../crash/random.js';
import { PERSONAL_STRINGS } from './personal-strings.js';

/** A text with a personal string in it. */
export interface PersonalText {
  /** What the string is. */
  readonly sort: string;
  /** The kind of the rule that has to find it. */
  readonly kind: MatchKind;
  /** How it is spelled. */
  readonly spelling: string;
  readonly text: string;
  /** Where the string is. */
  readonly start: number;
  readonly end: number;
}

const BEFORE = ['', 'Contact: ', '"', '<', 'see (', 'Name, ', '是', 'x = ', '\n', '{"value":"', 'to '];
const AFTER = ['', ', thanks', '"', '>', ') and', '; done', '。谢谢', '... ', ' ', '\n', '"}', ' on'];

/** The spelling of JSON within JSON: a text that is put into JSON is encoded twice then. */
export const ESCAPES = 'escapes';

/** How a string can be spelled so that people still read it. */
const SPELLINGS: Readonly<Record<string, (text: string, random: Random) => string>> = {
  plain: (text) => text,
  'full-width': (text) => mapAscii(text, (code) => String.fromCharCode(code + 0xfee0)),
  'invisible characters inside': (text, random) =>
    mapAscii(text, (code) => String.fromCharCode(code) + random.pick(INVISIBLE), -1),
  entities: (text, random) =>
    mapAscii(text, (code) => (random.chance(0.5) ? `&#${code};` : `&#x${code.toString(16)};`)),
  [ESCAPES]: (text) => mapAscii(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'other dashes and spaces': (text, random) =>
    text.replaceAll('-', () => random.pick(DASHES)).replaceAll(' ', () => random.pick(SPACES)),
  'mathematical digits': (text) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  'digits apart': (text, random) => splitDigits(text, random.pick([' ', '-'])),
};
const INVISIBLE = ['\u200b', '\u00ad', '\u2060', '\ufeff', ''];
const DASHES = ['‐', '‑', '–', '—', '−', '－'];
const SPACES = ['\u00a0', '\u2009', '\u202f', '\u3000'];

/** Makes a text with a personal string, of any sort, spelling and surroundings. */
export function makePersonalText(random: Random): PersonalText {
  const sort = random.pick(Object.keys(PERSONAL_STRINGS));
  const spelling = random.pick(Object.keys(SPELLINGS));
  const { kind, make } = PERSONAL_STRINGS[sort] ?? { kind: 'email', make: () => '' };
  const spelled = SPELLINGS[spelling]?.(make(random), random) ?? '';
  const start = random.pick(BEFORE);
  return {
    sort,
    kind,
    spelling,
    text: `${start}${spelled}${random.pick(AFTER)}`,
    start: start.length,
    end: start.length + spelled.length,
  };
}

function mapAscii(text: string, map: (code: number) => string, end?: number): string {
  const changed = [...text].map((character) => {
    const code = character.charCodeAt(0);
    return code > 32 && code < 127 ? map(code) : character;
  });
  return end === undefined ? changed.join('') : [...changed.slice(0, end), text.slice(end)].join('');
}

/** Numbers of digits alone can be spelled so: others would not be read as one. */
function splitDigits(text: string, separator: string): string {
  return /^\d[\d -]{8,}$/.test(text) ? [...text.replaceAll(/\D/g, '')].join(separator) : text;
}
