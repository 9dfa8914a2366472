import type { Random } from '../../crash/random.js';

/** A text with a personal string in it. */
export interface PersonalText {
  /** The kind of the string. */
  readonly kind: string;
  /** How it is spelled. */
  readonly spelling: string;
  readonly text: string;
  /** Where the string is. */
  readonly start: number;
  readonly end: number;
}

type Make = (random: Random) => string;

/** How each kind of personal string is made; the lists are of numbers that are right. */
const KINDS: Readonly<Record<string, Make>> = {
  email: (random) =>
    `${random.pick(NAMES)}${random.pick(['.', '_', '+'])}${random.pick(NAMES)}@${random.pick(DOMAINS)}`,
  phone: (random) => random.pick(PHONES),
  credit_card: makeCard,
  iban: (random) => random.pick(IBANS),
  ipv4: (random) => Array.from({ length: 4 }, () => random.between(0, 255)).join('.'),
  ipv6: (random) => Array.from({ length: 8 }, () => random.between(4_096, 65_535).toString(16)).join(':'),
  ssn: (random) => `${random.between(100, 599)}-${random.between(10, 89)}-${random.between(1_000, 8_999)}`,
  nino: (random) => `AB${random.between(100_000, 999_999)}${random.pick(['A', 'B', 'C', 'D'])}`,
  national_id: (random) => random.pick(NATIONAL_IDS),
};

const NAMES = ['jane', 'john', 'maria', 'wei', 'olu', 'anna-lena', 'd.smith', 'x7'];
const DOMAINS = ['example.com', 'mail.example.co.uk', 'firma.example.de', 'a-b.example.museum'];
const PHONES = [
  '+49 30 1234567',
  '+12125550123',
  '+44 20 7946 0958',
  '0049 171 1234567',
  '(212) 555-0123',
  '030 12345678',
];
const IBANS = ['DE89370400440532013000', 'GB82WEST12345698765432', 'FR1420041010050500013M02606', 'NL91ABNA0417164300'];
const NATIONAL_IDS = ['36574261809', '295109912611193', '12345678Z', 'X1234567L', 'RSSMRA85T10A562S'];
const BEFORE = ['', 'Contact: ', '"', '<', 'see (', 'Name, ', '是', 'x = ', '\n', '{"value":"', 'to '];
const AFTER = ['', ', thanks', '"', '>', ') and', '; done', '。谢谢', ' ', '\n', '"}', ' on'];

/** How a string can be spelled so that people still read it. */
const SPELLINGS: Readonly<Record<string, (text: string, random: Random) => string>> = {
  plain: (text) => text,
  'full-width': (text) => mapAscii(text, (code) => String.fromCharCode(code + 0xfee0)),
  'invisible characters inside': (text, random) =>
    mapAscii(text, (code) => String.fromCharCode(code) + random.pick(INVISIBLE), -1),
  entities: (text, random) =>
    mapAscii(text, (code) => (random.chance(0.5) ? `&#${code};` : `&#x${code.toString(16)};`)),
  escapes: (text) => mapAscii(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'other dashes and spaces': (text, random) =>
    text.replaceAll('-', () => random.pick(DASHES)).replaceAll(' ', () => random.pick(SPACES)),
  'mathematical digits': (text) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  'digits apart': (text, random) => splitDigits(text, random.pick([' ', '-'])),
};
const INVISIBLE = ['\u200b', '\u00ad', '\u2060', '\ufeff', ''];
const DASHES = ['‐', '‑', '–', '—', '−', '－'];
const SPACES = ['\u00a0', '\u2009', '\u202f', '\u3000'];

/** Makes a text with a personal string, of any kind, spelling and surroundings. */
export function makePersonalText(random: Random): PersonalText {
  const kind = random.pick(Object.keys(KINDS));
  const spelling = random.pick(Object.keys(SPELLINGS));
  const plain = KINDS[kind]?.(random) ?? '';
  const spelled = SPELLINGS[spelling]?.(plain, random) ?? '';
  const start = random.pick(BEFORE);
  return {
    kind,
    spelling,
    text: `${start}${spelled}${random.pick(AFTER)}`,
    start: start.length,
    end: start.length + spelled.length,
  };
}

/** With the check digit of Luhn's. */
function makeCard(random: Random): string {
  const digits = `4${Array.from({ length: 14 }, () => random.between(0, 9)).join('')}`;
  let sum = 0;
  [...digits].forEach((digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  const number = `${digits}${(10 - (sum % 10)) % 10}`;
  return random.pick([number, number.replace(/(.{4})(?=.)/g, '$1 '), number.replace(/(.{4})(?=.)/g, '$1-')]);
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
