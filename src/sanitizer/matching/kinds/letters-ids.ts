import type { MatchCollector, SearchWindow } from '../match-collector.js';
import { isAsciiLetter } from '../../../platform/text/normalization/word-characters.js';
import { readCompactId } from './compact-id.js';
import { hasIbanCheckDigits, ibanForm } from './iban.js';
import { LETTERS_IDS } from './person-id.js';
import type { LettersId } from './person-id.js';
import { findLettersBefore, findLettersGroupBefore } from './trailing-letters.js';

/** How many letters an IBAN begins with. */
const LETTERS_OF_COUNTRY = 2;
/** How many letters each of the two groups has that a codice fiscale begins with. */
const LETTERS_OF_GROUP = 3;
/** The ids by how many letters can stand before the first digit of each: most words before digits have others. */
const IDS_BY_LETTERS: ReadonlyMap<number, readonly LettersId[]> = groupByLetters();

/** Finds ids of letters and digits: IBANs, and the national numbers of persons that have letters. */
export class LettersIds {
  /** The positions of the rules for each. */
  constructor(
    private readonly ibanRules: readonly number[],
    private readonly personRules: readonly number[],
  ) {}

  /**
   * Looks at what the first of some digits may be part of.
   * @param beginsNumber whether an id could begin with the digits
   */
  detect(window: SearchWindow, digit: number, beginsNumber: boolean, found: MatchCollector): void {
    if (this.ibanRules.length + this.personRules.length === 0) return;
    const letters = findLettersBefore(window.text, digit);
    if (beginsNumber && this.personRules.length > 0) this.detectForms(window, digit, 0, found);
    if (letters < 0) return;
    const count = countLetters(window.text, letters, digit);
    if (count === LETTERS_OF_COUNTRY && this.ibanRules.length > 0) this.detectIban(window, letters, found);
    if (this.personRules.length === 0) return;
    this.detectForms(window, letters, count, found);
    if (count !== LETTERS_OF_GROUP) return;
    const group = findLettersGroupBefore(window.text, letters);
    if (group >= 0) this.detectForms(window, group, count + LETTERS_OF_GROUP, found);
  }

  /** Keeps letters that end what is known: digits may follow. */
  keepEnd(text: string, found: MatchCollector): void {
    if (this.ibanRules.length + this.personRules.length === 0) return;
    const letters = findLettersBefore(text, text.length);
    if (letters < 0) return;
    found.keepFrom(letters);
    const group = findLettersGroupBefore(text, letters);
    if (group >= 0 && this.personRules.length > 0) found.keepFrom(group);
  }

  private detectIban({ text, isFinal }: SearchWindow, start: number, found: MatchCollector): void {
    const form = ibanForm(text.slice(start, start + 2));
    const iban = form === null ? null : readCompactId(text, start, form, isFinal);
    if (iban === 'open') found.keepFrom(start);
    else if (iban && hasIbanCheckDigits(iban.value)) found.add(start, iban.end, this.ibanRules);
  }

  /** @param letters how many stand before the first digit */
  private detectForms({ text, isFinal }: SearchWindow, start: number, letters: number, found: MatchCollector): void {
    for (const { form, isValid } of IDS_BY_LETTERS.get(letters) ?? []) {
      const id = readCompactId(text, start, form, isFinal);
      if (id === 'open') found.keepFrom(start);
      else if (id && isValid(id.value)) found.add(start, id.end, this.personRules);
    }
  }
}

function groupByLetters(): ReadonlyMap<number, readonly LettersId[]> {
  const groups = new Map<number, LettersId[]>();
  for (const id of LETTERS_IDS) {
    for (const letters of letterCountsOf(id.form.characters)) groups.set(letters, [...(groups.get(letters) ?? []), id]);
  }
  return groups;
}

/** @param characters of an `IdForm` */
function letterCountsOf(characters: string): ReadonlySet<number> {
  const counts = new Set<number>();
  for (let count = 0; count < characters.length; count += 1) {
    if (characters.charAt(count) !== 'L') counts.add(count);
    if (characters.charAt(count) === 'd') break;
  }
  return counts;
}

function countLetters(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (isAsciiLetter(text.charCodeAt(at))) count += 1;
  return count;
}
