import { RAISED_OR_FRACTION, toPlainCharacter } from './character-map.js';
import { NormalizedText } from './normalized-text.js';

/** Accents on one letter that are brought into order together; Unicode's stream-safe format allows 30. */
const MOST_MARKS = 30;

/** UTF-16 units that are folded in one step: about half a millisecond. */
const STEP = 4_096;

const FIRST_MARK = 0x300;
const ALONE: ReadonlySet<string> = new Set(['', ' ', '-']);
const SPACE = /[\s\p{Zs}\u0085]/u;
const CONTROL = /\p{Cc}/u;
const MARK = /\p{M}/u;
const DIGIT = /\d/;
const QUOTE_MARK = /[\p{Pi}\p{Pf}"'`\u00b4\u02b9-\u02bc\u2032-\u2037\u201a\u201e\u300c-\u300f\u301d-\u301f\uff07]/u;

const MOST_KNOWN = 20_000;
const known = new Map<number, string>();

/**
 * Brings a text into the form in which quotes are compared: compatible characters (Unicode NFKC), without case, white
 * space, invisible and control characters. All quote marks are `"`, several in a row one. Dashes stand beside digits only,
 * since between letters nobody can tell them from the hyphens at the ends of lines; white space stands between digits
 * only, since 5 10 is not 510. Behind a digit ² is `^2`. Takes time and memory in proportion to the text.
 */
export function foldText(text: string): NormalizedText {
  const steps = foldInSteps(text);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same in steps of some thousand units, so that others have their turn while a long text is folded. */
export function* foldInSteps(text: string): Generator<void, NormalizedText> {
  const folding = new Folding();
  let due = STEP;
  for (let at = 0; at < text.length;) {
    const length = unitLength(text, at);
    folding.add(length === 1 ? foldCode(text.charCodeAt(at)) : foldUnit(text.slice(at, at + length)), at, length);
    at += length;
    if (at < due) continue;
    due = at + STEP;
    yield;
  }
  return folding.finish();
}

/** How long a character is with the accents that follow it, which may not be told apart. */
function unitLength(text: string, at: number): number {
  let end = at + widthAt(text, at);
  if (end >= text.length || text.charCodeAt(end) < FIRST_MARK) return end - at;
  // What goes away or is judged by what is beside it carries no accents.
  if (ALONE.has(foldCode(text.codePointAt(at) ?? 0))) return end - at;
  for (let marks = 0; marks < MOST_MARKS && end < text.length; marks += 1) {
    const width = widthAt(text, end);
    if (!MARK.test(text.slice(end, end + width))) break;
    end += width;
  }
  return end - at;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function foldUnit(unit: string): string {
  if (unit.length === widthAt(unit, 0)) return foldCode(unit.codePointAt(0) ?? 0);
  return Array.from(unit.normalize('NFKD'), (character) => foldCode(character.codePointAt(0) ?? 0)).join('');
}

/** What stands for a code point: `-`, ` ` and `^…` are for `Folding` to judge by what is beside them. */
function foldCode(codePoint: number): string {
  let folded = known.get(codePoint);
  if (folded === undefined) {
    folded = findFolded(String.fromCodePoint(codePoint));
    // Texts that use all of Unicode fill no memory.
    if (known.size === MOST_KNOWN) known.clear();
    known.set(codePoint, folded);
  }
  return folded;
}

function findFolded(character: string): string {
  if (SPACE.test(character)) return ' ';
  if (CONTROL.test(character)) return '';
  if (QUOTE_MARK.test(character)) return '"';
  const folded = Array.from(character.normalize('NFKD'), (part) => {
    const plain = toPlainCharacter(part.codePointAt(0) ?? 0) ?? part;
    // By way of capitals, so that ß is ss, and ς is σ.
    return plain.toUpperCase().toLowerCase().normalize('NFKD');
  }).join('');
  return RAISED_OR_FRACTION.test(character) ? `^${folded}` : folded;
}

/** The folded text as far as it is known, and what has come since then. */
class Folding {
  private readonly folded = new NormalizedText();
  /** Characters that stand one for one for those of the original from `runStart` on. */
  private run = '';
  private runStart = 0;
  private last = '';
  /** Where the first dash and the first white space behind the last character are. */
  private dash = -1;
  private space = -1;

  add(folded: string, at: number, length: number): void {
    if (folded === '') return;
    if (folded === ' ') {
      if (this.space < 0) this.space = at;
    } else if (folded === '-') {
      if (this.dash < 0) this.dash = at;
    } else {
      this.addVisible(folded, at, length);
    }
  }

  finish(): NormalizedText {
    this.endRun();
    return this.folded;
  }

  private addVisible(folded: string, at: number, length: number): void {
    const isRaised = folded.startsWith('^') && folded.length > 1;
    const [first = ''] = isRaised ? folded.slice(1) : folded;
    const wasDigit = DIGIT.test(this.last);
    const isBesideDigit = DIGIT.test(first) || wasDigit;
    if (this.dash >= 0 && isBesideDigit) this.append('-', this.dash, 1);
    else if (this.space >= 0 && wasDigit && DIGIT.test(first)) this.append(' ', this.space, 1);
    const isRepeated = first === '"' && this.last === '"';
    const isApart = this.dash >= 0 || this.space >= 0;
    this.dash = -1;
    this.space = -1;
    if (isRepeated) return;
    this.append(isRaised && (!wasDigit || isApart) ? folded.slice(1) : folded, at, length);
  }

  private append(folded: string, at: number, length: number): void {
    this.last = folded.at(-1) ?? '';
    if (folded.length === 1 && length === 1) {
      if (this.runStart + this.run.length !== at) this.endRun();
      if (this.run === '') this.runStart = at;
      this.run += folded;
      return;
    }
    this.endRun();
    this.folded.add(folded, at, length);
  }

  private endRun(): void {
    this.folded.add(this.run, this.runStart);
    this.run = '';
  }
}
