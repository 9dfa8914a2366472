import type { CountryCode } from 'libphonenumber-js/max';
import type { MatchCollector, SearchWindow } from '../match-collector.js';
import type { MatchKind } from '../match.types.js';
import { isDigit, isDigitAt, isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';
import { CREDIT_CARDS } from './credit-card.js';
import { findDomainEnd, findLocalPart } from './email.js';
import { findHexadecimalEnd, isHexadecimal, readIpv4, readIpv6 } from './ip-address.js';
import { LettersIds } from './letters-ids.js';
import { hasFreeStart, isSeparator, MOST_SEPARATORS, NumberRun } from './number-run.js';
import { canBecomeNumber, findNumberEnds } from './numbers.js';
import type { NumberKind } from './numbers.js';
import { DIGITS_IDS } from './person-id.js';
import { canBecomePhone, findInternationalEnd, findNationalEnd } from './phone-number.js';

/** The rules that look for each builtin kind, by their positions. */
export type BuiltinRules = Readonly<Record<Exclude<MatchKind, 'regex' | 'words'>, readonly number[]>>;

/** Rules that look for phone numbers of one country as they are written there. */
export interface RegionRules {
  readonly region: CountryCode;
  readonly rules: readonly number[];
}

const OTHER = 0;
const AT = 1;
const DIGIT = 2;
const COLON = 3;
const PLUS = 4;
const COLON_UNIT = 58;
const DOT_UNIT = 46;
/** With fewer digits than these begins no number and no id; an IPv4 address has three dots. */
const FEW_DIGITS = 6;

/**
 * Finds e-mail addresses, phone and card numbers, IBANs, IP addresses and national numbers of persons. All of them have
 * a character that most text has not, an @, a digit, a colon or a +, and only what is around those is looked at.
 */
export class BuiltinDetector {
  private readonly triggers = new Uint8Array(0x10000);
  private readonly lettersIds: LettersIds;
  private readonly regions: readonly CountryCode[];
  private readonly findsNumbers: boolean;
  /** Numbers of digits alone but phones, with the rules that look for them. */
  private readonly numbers: readonly (readonly [kind: NumberKind, rules: readonly number[]])[];
  /** Whether there is any rule. */
  readonly isNeeded: boolean;

  /** @param national the rules of `rules.phone` that have a region */
  constructor(
    private readonly rules: BuiltinRules,
    private readonly national: readonly RegionRules[],
  ) {
    this.regions = national.map(({ region }) => region);
    this.lettersIds = new LettersIds(rules.iban, rules.person_id);
    this.numbers = [
      ...(rules.credit_card.length > 0 ? CREDIT_CARDS : []).map((kind) => [kind, rules.credit_card] as const),
      ...(rules.person_id.length > 0 ? DIGITS_IDS : []).map((kind) => [kind, rules.person_id] as const),
    ];
    this.findsNumbers = rules.phone.length + this.numbers.length > 0;
    if (rules.email.length > 0) this.triggers['@'.charCodeAt(0)] = AT;
    if (rules.ip.length > 0) this.triggers[':'.charCodeAt(0)] = COLON;
    if (rules.phone.length > 0) this.triggers['+'.charCodeAt(0)] = PLUS;
    const needsDigits = this.findsNumbers || rules.ip.length > 0 || rules.iban.length > 0;
    if (needsDigits) for (const digit of '0123456789') this.triggers[digit.charCodeAt(0)] = DIGIT;
    this.isNeeded = needsDigits || rules.email.length > 0;
  }

  /** Looks through the undecided part of a window. */
  detect(window: SearchWindow, found: MatchCollector): void {
    const { text } = window;
    const { triggers } = this;
    let at = window.from;
    let rowEnd = -1;
    for (; at < text.length; at += 1) {
      const trigger = triggers[text.charCodeAt(at)];
      if (trigger === OTHER) continue;
      if (trigger === AT) this.detectEmail(window, at, found);
      else if (trigger === PLUS) this.detectPlus(window, at, found);
      else if (trigger === DIGIT) {
        if (!isDigitAt(text, at - 1)) this.detectDigits(window, at, found);
      } else if (at >= rowEnd) rowEnd = this.detectColon(window, at, found);
    }
    if (!window.isFinal) this.keepEnd(window, found);
  }

  private detectEmail({ text, isFinal }: SearchWindow, at: number, found: MatchCollector): void {
    const start = findLocalPart(text, at);
    if (start === at) return;
    const end = findDomainEnd(text, at + 1, isFinal);
    if (end === 'open') found.keepFrom(start);
    else if (end > 0 && !isScaledImage(text.slice(at + 1, end))) found.add(start, end, this.rules.email);
  }

  private detectColon({ text, isFinal }: SearchWindow, at: number, found: MatchCollector): number {
    // Most colons are in no address: behind a word, with a space or a quote after them.
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : COLON_UNIT;
    if (next !== COLON_UNIT && !isHexadecimal(next) && text.charCodeAt(at - 1) !== COLON_UNIT) return at + 1;
    const row = readIpv6(text, at, isFinal);
    if (row.found === 'open') found.keepFrom(row.start);
    else if (row.found) found.add(row.found.start, row.found.end, this.rules.ip);
    return row.end;
  }

  private detectPlus({ text, isFinal }: SearchWindow, at: number, found: MatchCollector): void {
    if (isWordUnitAt(text, at - 1) || text.charAt(at - 1) === '+') return;
    const start = text.charAt(at - 1) === '(' ? at - 1 : at;
    const digit = ' ('.includes(text.charAt(at + 1)) ? at + 2 : at + 1;
    if (digit >= text.length) {
      if (!isFinal) found.keepFrom(start);
    } else if (isDigitAt(text, digit)) {
      this.addPhone(new NumberRun(text, digit, isFinal), true, start, found);
    }
  }

  private detectDigits(window: SearchWindow, at: number, found: MatchCollector): void {
    const { text, isFinal } = window;
    const isFree = !isWordUnitAt(text, at - 1);
    const isShort = isFree && standsAlone(text, at, isFinal);
    const beginsNumber = isFree && !isShort && !isAmongSingles(text, at) && hasFreeStart(text, at);
    this.lettersIds.detect(window, at, beginsNumber, found);
    if (isShort || !isFree) return;
    if (this.rules.ip.length > 0) {
      const address = readIpv4(text, at, isFinal);
      if (address === 'open') found.keepFrom(at);
      else if (address) found.add(address.start, address.end, this.rules.ip);
    }
    if (this.findsNumbers && beginsNumber) this.detectNumber(window, at, found);
  }

  private detectNumber({ text, isFinal }: SearchWindow, at: number, found: MatchCollector): void {
    const run = new NumberRun(text, at, isFinal);
    for (const [{ form, isValid }, rules] of this.numbers) {
      for (const groups of findNumberEnds(run, form)) {
        if (isValid(run.digits.slice(0, run.countDigits(groups)))) found.add(at, run.ends[groups - 1] ?? 0, rules);
      }
      if (canBecomeNumber(run, form)) found.keepFrom(at);
    }
    if (this.rules.phone.length > 0) this.addPhone(run, false, text.charAt(at - 1) === '(' ? at - 1 : at, found);
  }

  private addPhone(run: NumberRun, hasPlus: boolean, start: number, found: MatchCollector): void {
    const groups = findInternationalEnd(run, hasPlus);
    if (groups > 0) found.add(start, run.ends[groups - 1] ?? 0, this.rules.phone);
    for (const { region, rules } of hasPlus ? [] : this.national) {
      const nationalGroups = findNationalEnd(run, region);
      if (nationalGroups > 0) found.add(start, run.ends[nationalGroups - 1] ?? 0, rules);
    }
    if (canBecomePhone(run, hasPlus, this.regions)) found.keepFrom(start);
  }

  /** Keeps what ends the window and can become the beginning of a match: there is no trigger in it yet. */
  private keepEnd({ text }: SearchWindow, found: MatchCollector): void {
    const end = text.length;
    if (this.rules.email.length > 0) found.keepFrom(findLocalPart(text, end));
    if (this.rules.ip.length > 0) found.keepFrom(findHexadecimalEnd(text));
    if (this.rules.phone.length > 0 && text.charAt(end - 1) === '(') found.keepFrom(end - 1);
    this.lettersIds.keepEnd(text, found);
  }
}

/** Names of files for screens of a higher density, such as `logo@2x.png`. */
function isScaledImage(domain: string): boolean {
  return /^\d(?:\.\d)?x\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(domain);
}

/** Says whether digits, with those that follow them, are too few to be anything. */
function standsAlone(text: string, start: number, isFinal: boolean): boolean {
  let [digits, dots, separators] = [0, 0, 0];
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits += 1;
      separators = 0;
    } else {
      separators += 1;
      if (separators > MOST_SEPARATORS || !isSeparator(code)) return true;
      if (code === DOT_UNIT) dots += 1;
    }
    if (digits >= FEW_DIGITS || dots >= 3) return false;
  }
  return isFinal;
}

/** Says whether a digit stands between others that all stand alone: no number begins in their midst. */
function isAmongSingles(text: string, at: number): boolean {
  return at + 3 < text.length && isSingle(text, at - 2) && isSingle(text, at) && isSingle(text, at + 2);
}

function isSingle(text: string, at: number): boolean {
  return isDigitAt(text, at) && isSeparator(text.charCodeAt(at - 1)) && isSeparator(text.charCodeAt(at + 1));
}
