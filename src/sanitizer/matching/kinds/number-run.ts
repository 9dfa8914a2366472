import { isDigit, isDigitAt, isWordUnitAt } from '../../../platform/text/normalization/word-characters.js';

/** What may stand between groups of digits; several are one number, such as `dash | space`. */
export const SEPARATOR = { space: 1, dash: 2, dot: 4, slash: 8, parenthesis: 16 } as const;

/** What each UTF-16 unit of ASCII is as a separator; 0: none. */
const SEPARATORS = new Uint8Array(128);
SEPARATORS[0x20] = SEPARATOR.space;
SEPARATORS[0x2d] = SEPARATOR.dash;
SEPARATORS[0x2e] = SEPARATOR.dot;
SEPARATORS[0x2f] = SEPARATOR.slash;
SEPARATORS[0x28] = SEPARATORS[0x29] = SEPARATOR.parenthesis;

/** How many separators may stand between two groups. */
export const MOST_SEPARATORS = 3;

/** More digits than any kind of number has: 19 of a card. */
const MOST_DIGITS = 19;

/** Groups of digits with up to three separators between them, such as `4111 1111-1111`, from one group on. */
export class NumberRun {
  /** The lengths of the groups. */
  readonly lengths: number[] = [];
  /** Where each group ends. */
  readonly ends: number[] = [];
  /** What stands before each group; nothing before the first. */
  readonly separators: number[] = [];
  /** All digits, without what is between them. */
  digits = '';
  /** Whether it has more digits than are read. */
  isTooLong = false;
  /** Whether more may follow that is not known yet. */
  isOpen = false;
  /** Whether no group stands before the first one. */
  readonly isWhole: boolean;
  /** How many groups of one digit it begins with, if no such group stands before them; otherwise 0. */
  readonly singles: number;
  private readonly joins: boolean[] = [];

  /**
   * @param start where the first group begins: at a digit with no digit before it, and a free start without a +
   * @param isFinal whether the text ends where what is known of it ends
   */
  constructor(
    readonly text: string,
    readonly start: number,
    readonly isFinal: boolean,
  ) {
    this.read();
    const before = this.findGroupBefore();
    this.isWhole = before < 0;
    const isSecondSingle = before >= 0 && !isWordUnitAt(text, before - 1);
    const singles = this.lengths.findIndex((length) => length !== 1);
    this.singles = isSecondSingle ? 0 : singles < 0 ? this.lengths.length : singles;
  }

  /** Whether its groups have about one length, but for the last, and the same stands between them. */
  get isRegular(): boolean {
    const [first = 0] = this.lengths;
    const last = this.lengths.length - 1;
    return this.lengths.every((length, group) => {
      const isEven = Math.abs(length - first) <= 1 || (group === last && length < first);
      return isEven && (group < 2 || this.separators[group] === this.separators[1]);
    });
  }

  /** How many digits the first groups have. */
  countDigits(groups: number): number {
    let count = 0;
    for (let group = 0; group < groups; group += 1) count += this.lengths[group] ?? 0;
    return count;
  }

  /** Whether a number may end with a group: no letter follows, and no digit behind a dot or dash. */
  hasFreeEnd(groups: number): boolean {
    return this.hasLooseEnd(groups) && this.joins[groups] !== true;
  }

  /** As `hasFreeEnd`, but a dot or dash with a digit may follow. */
  hasLooseEnd(groups: number): boolean {
    if (groups < this.lengths.length) return true;
    return !this.isOpen && !this.isTooLong && !isWordUnitAt(this.text, this.ends.at(-1) ?? 0);
  }

  /** Whether only these separators stand between the first groups. */
  usesOnly(separators: number, groups: number): boolean {
    for (let group = 1; group < groups; group += 1)
      if (((this.separators[group] ?? 0) & ~separators) !== 0) return false;
    return true;
  }

  /** Whether a space stands between any of the first groups. */
  hasSpaces(groups: number): boolean {
    return this.separators.some((mask, group) => group < groups && (mask & SEPARATOR.space) !== 0);
  }

  /** Whether its first groups are exactly as long as these. */
  beginsWith(grouping: readonly number[]): boolean {
    for (let group = 0; group < grouping.length; group += 1) if (this.lengths[group] !== grouping[group]) return false;
    return true;
  }

  /** Whether its groups are these as far as they are known. */
  canBecome(grouping: readonly number[]): boolean {
    const last = this.lengths.length - 1;
    return this.lengths.every((length, group) =>
      group < last ? length === grouping[group] : length <= (grouping[group] ?? 0),
    );
  }

  private read(): void {
    const { text, isFinal } = this;
    let at = this.start;
    let separators = 0;
    for (;;) {
      const groupStart = at;
      while (at < text.length && isDigit(text.charCodeAt(at)) && at - groupStart <= MOST_DIGITS) at += 1;
      this.digits += text.slice(groupStart, at);
      this.lengths.push(at - groupStart);
      this.ends.push(at);
      this.separators.push(separators);
      if (this.digits.length > MOST_DIGITS) {
        this.isTooLong = true;
        return;
      }
      const groupEnd = at;
      separators = 0;
      while (at < text.length && at - groupEnd < MOST_SEPARATORS && isSeparator(text.charCodeAt(at))) {
        separators |= SEPARATORS[text.charCodeAt(at)] ?? 0;
        at += 1;
      }
      if (at === text.length) {
        this.isOpen = !isFinal;
        return;
      }
      if (at === groupEnd || !isDigit(text.charCodeAt(at))) return;
      this.joins[this.lengths.length] =
        at - groupEnd === 1 && (separators === SEPARATOR.dot || separators === SEPARATOR.dash);
    }
  }

  /** Where the last digit of the group before the first one is, or -1. */
  private findGroupBefore(): number {
    let at = this.start - 1;
    while (at >= 0 && this.start - 1 - at < MOST_SEPARATORS && isSeparator(this.text.charCodeAt(at))) at -= 1;
    return at < this.start - 1 && isDigitAt(this.text, at) ? at : -1;
  }
}

/** Says whether a UTF-16 unit may stand between groups of digits. */
export function isSeparator(code: number): boolean {
  return code < SEPARATORS.length && SEPARATORS[code] !== 0;
}

/** Says whether digits at a place are no part of a longer number or word, as the 11 of `1.11` and of `a11` are. */
export function hasFreeStart(text: string, start: number): boolean {
  if (isWordUnitAt(text, start - 1)) return false;
  const joint = text.charAt(start - 1);
  return !((joint === '.' || joint === '-') && isDigitAt(text, start - 2));
}
