import type { MatchCollector, SearchWindow } from '../match-collector.js';
import { readCompactId } from './compact-id.js';
import { hasIbanCheckDigits, ibanForm } from './iban.js';
import { LETTERS_IDS } from './person-id.js';
import { findLettersBefore, findLettersGroupBefore } from './trailing-letters.js';

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
    if (beginsNumber && this.personRules.length > 0) this.detectForms(window, digit, digit, found);
    if (letters < 0) return;
    if (this.ibanRules.length > 0) this.detectIban(window, letters, found);
    if (this.personRules.length === 0) return;
    this.detectForms(window, letters, digit, found);
    const group = findLettersGroupBefore(window.text, letters);
    if (group >= 0) this.detectForms(window, group, digit, found);
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

  private detectForms({ text, isFinal }: SearchWindow, start: number, digit: number, found: MatchCollector): void {
    for (const { form, isValid } of LETTERS_IDS) {
      if (form.characters.startsWith('d') !== (start === digit)) continue;
      const id = readCompactId(text, start, form, isFinal);
      if (id === 'open') found.keepFrom(start);
      else if (id && isValid(id.value)) found.add(start, id.end, this.personRules);
    }
  }
}
