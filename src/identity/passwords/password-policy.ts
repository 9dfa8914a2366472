import { COMMON_WORDS, WALKS } from './common-passwords.js';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
/** Fewer different characters than this are a pattern, whatever the length. */
const MIN_DIFFERENT = 5;
/** Shorter local parts, such as `jo`, turn up in good passwords by chance. */
const MIN_LOCAL_PART = 4;

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

function containsEmail(text: string, email: string): boolean {
  const [localPart = ''] = email.split('@');
  return text.includes(email) || (localPart.length >= MIN_LOCAL_PART && text.includes(localPart));
}

function isCommon(text: string): boolean {
  if (new Set(text).size < MIN_DIFFERENT) return true;
  return isWalk(text) || isWalk(unitOf(text)) || wordsWithin(text).some((word) => COMMON_WORDS.has(unitOf(word)));
}

function isWalk(text: string): boolean {
  const backwards = [...text].reverse().join('');
  return WALKS.some((walk) => walk.includes(text) || walk.includes(backwards));
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
