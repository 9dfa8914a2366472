import { toPlainCharacter } from '../../../platform/text/normalization/character-map.js';
import { NormalizedText } from '../../../platform/text/normalization/normalized-text.js';
import { readReference } from './references.js';

/** A text as it is searched. */
export interface Normalization {
  readonly normalized: NormalizedText;
  /** Where in the original the undecided end begins: half a character, or half a reference. */
  readonly decidedEnd: number;
}

const SPECIAL = /[\0&\\%\u0080-\uffff]/g;

/**
 * Brings a text into the form that is searched: characters as `toPlainCharacter` has them, references decoded once.
 * Cut between its characters and put together again, the forms of the parts are the form of the whole.
 * @param isFinal whether nothing follows
 */
export function normalizeText(text: string, isFinal: boolean): Normalization {
  const normalized = new NormalizedText();
  let copied = 0;
  let at = nextSpecial(text, 0);
  while (at < text.length) {
    const step = readSpecial(text, at, isFinal);
    if (step === 'open') break;
    const { value, length } = step;
    if (value !== null) {
      normalized.add(text.slice(copied, at), copied);
      normalized.add(value, at, length);
      copied = at + length;
    }
    at = nextSpecial(text, at + length);
  }
  const decidedEnd = Math.min(at, text.length);
  normalized.add(text.slice(copied, decidedEnd), copied);
  return { normalized, decidedEnd };
}

/** Brings a word or another short text into the form that is searched. */
export function normalizeWord(word: string): string {
  return normalizeText(word, true).normalized.text;
}

function nextSpecial(text: string, from: number): number {
  // Texts in other scripts are special all over.
  if (from < text.length && text.charCodeAt(from) >= 0x80) return from;
  SPECIAL.lastIndex = from;
  return SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length;
}

/** What stands for the character or reference at a place (null: itself), and how long that is in the original. */
function readSpecial(text: string, at: number, isFinal: boolean): { value: string | null; length: number } | 'open' {
  const code = text.charCodeAt(at);
  if (code < 0x80 && code > 0) {
    const reference = readReference(text, at, isFinal);
    if (reference === 'open') return reference;
    return reference ? { value: toPlainText(reference.value), length: reference.length } : { value: null, length: 1 };
  }
  const isHigh = code >= 0xd800 && code <= 0xdbff;
  if (isHigh && !isFinal && at + 1 === text.length) return 'open';
  const codePoint = text.codePointAt(at) ?? code;
  return { value: toPlainCharacter(codePoint), length: codePoint > 0xffff ? 2 : 1 };
}

function toPlainText(text: string): string {
  let plain = '';
  for (const character of text) plain += toPlainCharacter(character.codePointAt(0) ?? 0) ?? character;
  return plain;
}
