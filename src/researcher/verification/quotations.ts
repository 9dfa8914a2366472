import type { TextSpan } from '../../platform/text/text-span.js';
import { isMark, marksOfRun } from './quotation-marks.js';
import { QuotedParagraph, type Quotation } from './quoted-paragraph.js';

/** UTF-16 units that are read in one step. */
const STEP = 4_096;
const NOTHING = 0;
const MARK = 1;
const SPACE = 2;
/** What each UTF-16 unit is. */
const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (isMark(character)) return MARK;
  return /\s/.test(character) ? SPACE : NOTHING;
});
const SAYS = /[\p{L}\p{N}]/u;
/** Begins with what says something, so that what is between two such is read once. */
const LAST_SAID = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u;
/** A dash that begins somebody's words: before a digit it is a sign. */
const DIALOGUE = /^(?:[‒–—―−]|--)\s{0,2}[*_([]{0,3}[\p{L}"“”„«»‹›'‘’‚¿¡…]/u;
const DIALOGUE_IN_PARAGRAPH = /^(?:[‒–—―−]|--)\s{0,2}[*_([]{0,3}[\p{Lu}"“”„«»‹›'‘’‚¿¡…]/u;
/** The same within a line, where a dash is mostly that of a remark. */
const DIALOGUE_IN_LINE = /^[–—―]\s?[\p{Lu}¿¡]/u;
/** So much of what footnotes may take is looked at, in UTF-16 units. */
const FOOTNOTES_LENGTH = 40;
const FOOTNOTES_BEFORE = /^[^\p{L}\p{N}[]*(?:\[\d{1,3}\]\s*|\p{No}+\s*)+/u;
const FOOTNOTES_BEHIND = /(?:\[\d{1,3}\]\s*|\p{No}+\s*)+[^\p{L}\p{N}]*$/u;
/** Of Markdown and mails: `>`, which Japanese mails write as wide as a letter, also in a list and behind initials. */
const QUOTED_LINE = /^(?:(?:[-*+]|\d{1,3}[.)])\s{1,3})?\p{Lu}{0,3}[>\uff1e]/u;
/** The longest of these beginnings. */
const BEGINNING_LENGTH = 12;
const STOPS = /[.:!?…]/;
const ENDS_SENTENCE = /[.:!?…"”“»«’'‘)]/;

/** The outermost quotations of a text, in order. */
export class Quotations {
  private constructor(readonly all: readonly Quotation[]) {}

  /** Of a short text. */
  static of(text: string): Quotations {
    const steps = Quotations.inSteps(text);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  }

  /** Reads each character once, in steps of some thousand. A quotation ends with its paragraph at the latest. */
  static *inSteps(text: string): Generator<void, Quotations> {
    const all: Quotation[] = [];
    let paragraph = new QuotedParagraph(all, 0);
    let newline = -1;
    let isLineStart = true;
    let lastSaid = '';
    let nextStep = STEP;
    for (let at = 0; at < text.length; at += 1) {
      if (at >= nextStep) {
        yield;
        nextStep = at + STEP;
      }
      const kind = KINDS[text.charCodeAt(at)];
      if (kind === SPACE) {
        const character = text.charAt(at);
        if (character !== '\n' && character !== '\r') continue;
        isLineStart = true;
        if (character === '\n' ? newline >= 0 : text.charAt(at - 1) === '\r') {
          paragraph.end(at);
          paragraph = new QuotedParagraph(all, at, paragraph.left);
          lastSaid = '';
        }
        if (character === '\n') newline = at;
        continue;
      }
      if (isLineStart ? isSpoken(text, at, lastSaid) : isSpokenInLine(text, at, lastSaid)) paragraph.beginDialogue(at);
      newline = -1;
      isLineStart = false;
      if (kind === MARK) {
        const start = at;
        while (KINDS[text.charCodeAt(at + 1)] === MARK) at += 1;
        let isFirst = lastSaid === '';
        for (const [place, mark] of marksOfRun(text, start, at + 1)) {
          if (mark) {
            paragraph.read(mark, isFirst);
            isFirst = false;
          }
          if (place < nextStep) continue;
          yield;
          nextStep = place + STEP;
        }
      }
      lastSaid = text.charAt(at);
    }
    paragraph.end(text.length);
    return new Quotations(all);
  }

  /** Those that have anything of a part of the text. */
  within({ start, end }: TextSpan): readonly Quotation[] {
    const last = this.lastIndexFrom(end);
    let first = last;
    while (first >= 0 && (this.all[first]?.end ?? 0) > start) first -= 1;
    return this.all.slice(first + 1, last + 1);
  }

  /** Whether any of a part of the text lies within a quotation. */
  hasAny({ start, end }: TextSpan): boolean {
    return (this.lastFrom(end)?.end ?? 0) > start;
  }

  /** The quotation that all of what a part of the text says lies within; undefined where there is none. */
  around(text: string, part: TextSpan): Quotation | undefined {
    if (!this.hasAny(part)) return undefined;
    const said = saidIn(text, part);
    const quotation = this.lastFrom(said.start + 1);
    return quotation && quotation.end >= said.end ? quotation : undefined;
  }

  /** The last quotation that begins before a place. */
  private lastFrom(place: number): Quotation | undefined {
    return this.all[this.lastIndexFrom(place)];
  }

  private lastIndexFrom(place: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.start ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** A part of a text from the first to the last that says something; numbers of footnotes around it do not. */
function saidIn(text: string, span: TextSpan): TextSpan {
  const start =
    span.start + (FOOTNOTES_BEFORE.exec(text.slice(span.start, span.start + FOOTNOTES_LENGTH))?.[0].length ?? 0);
  const tail = text.slice(Math.max(start, span.end - FOOTNOTES_LENGTH), span.end);
  const end = span.end - (FOOTNOTES_BEHIND.exec(tail)?.[0].length ?? 0);
  const part = text.slice(start, end);
  const last = LAST_SAID.exec(part);
  return { start: start + Math.max(0, part.search(SAYS)), end: last ? start + last.index + last[0].length : end };
}

/** Whether a line begins with a dash of a dialogue, or as one of a block quote does. */
function isSpoken(text: string, at: number, lastSaid: string): boolean {
  const beginning = text.slice(at, at + BEGINNING_LENGTH);
  if (QUOTED_LINE.test(beginning)) return true;
  return lastSaid === ''
    ? DIALOGUE.test(beginning)
    : ENDS_SENTENCE.test(lastSaid) && DIALOGUE_IN_PARAGRAPH.test(beginning);
}

/** Whether a dash behind a sentence begins what somebody says. */
function isSpokenInLine(text: string, at: number, lastSaid: string): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x2013 || code > 0x2015 || KINDS[text.charCodeAt(at - 1)] !== SPACE) return false;
  return STOPS.test(lastSaid) && DIALOGUE_IN_LINE.test(text.slice(at, at + BEGINNING_LENGTH));
}
