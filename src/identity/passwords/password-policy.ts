import { createRequire } from 'node:module';
import { BadRequest } from '../../errors.js';

const require = createRequire(import.meta.url);

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
/** Fewer different characters than this are a pattern, whatever the length. */
const MIN_DIFFERENT = 5;
/** Shorter local parts, such as `jo`, turn up in good passwords by chance. */
const MIN_LOCAL_PART = 4;

/** Shorter pieces of a walk are part of any text. */
const MIN_WALK = 3;

/** Sequences that fingers walk along, forwards or backwards. */
const WALKS: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()_+',
];

/** Beside the list of the package, which leaves them out. */
const ALSO_COMMON = 'letmeinplease login manchesterunited strongpassword testpassword toor welcomehome'.split(' ');
let common: ReadonlySet<string> | undefined;

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * What forbids a new password for an account: it must have 12 to 256 characters, not contain the
 * email address, and not be one of the common ones.
 * @returns the end of a sentence that begins with the field's name; undefined if the password may be chosen
 */
export function passwordProblem(password: string, email: string): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  const length = [...text].length;
  if (length < MIN_CHARACTERS) return `must have at least ${MIN_CHARACTERS} characters`;
  if (length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  if (containsEmail(text, email.toLowerCase())) return 'must not contain the email address';
  if (isCommon(text)) return 'is too easy to guess';
  return undefined;
}

/**
 * Refuses a new password that may not be chosen.
 * @param field the GraphQL name of the field that has it
 * @throws BadRequest that names the field
 */
export function requireGoodPassword(field: string, password: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem) throw new BadRequest(`${field} ${problem}.`, field);
}

function containsEmail(text: string, email: string): boolean {
  const [localPart = ''] = email.split('@');
  return text.includes(email) || (localPart.length >= MIN_LOCAL_PART && text.includes(localPart));
}

function isCommon(text: string): boolean {
  if (new Set(text).size < MIN_DIFFERENT) return true;
  const words = [text, ...wordsWithin(text)].flatMap((word) => [word, unitOf(word)]);
  common ??= readCommon();
  return words.some((word) => isWalk(word) || common?.has(word));
}

/** Some 49,000 that were found in leaks, of up to 20 characters: 4 MB, read at the first new password. */
function readCommon(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...ALSO_COMMON]);
}

function isWalk(text: string): boolean {
  const backwards = [...text].reverse().join('');
  return [...text].length >= MIN_WALK && WALKS.some((walk) => walk.includes(text) || walk.includes(backwards));
}

/** What a text repeats from end to end; the text itself if it repeats nothing. */
function unitOf(text: string): string {
  return /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
}

/** The word that digits and signs were put around, as it stands and with `p4$$w0rd` read as `password`. */
function wordsWithin(text: string): string[] {
  const bare = text.replace(/^[^\p{L}@$]+|[^\p{L}]+$/gu, '');
  const plain = [...bare].map((character) => LEET[character] ?? character).join('');
  return [unitOf(text).replace(/^[^\p{L}@$]+|[^\p{L}]+$/gu, ''), bare, plain];
}
