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
const DIALOGUE = /^[–—―]\s?[\p{L}"“”„«»‹›'‘’‚¿¡…]/u;
const DIALOGUE_IN_PARAGRAPH = /^[–—―]\s?[\p{Lu}"“”„«»‹›'‘’‚¿¡…]/u;
/** Of Markdown and mails: `>`, which Japanese mails write as wide as a letter. */
const [BLOCK_QUOTE, WIDE_BLOCK_QUOTE] = [0x3e, 0xff1e];
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
          paragraph = new QuotedParagraph(all, at);
          lastSaid = '';
        }
        if (character === '\n') newline = at;
        continue;
      }
      if (isLineStart && isSpoken(text, at, lastSaid)) paragraph.beginDialogue(at);
      newline = -1;
      isLineStart = false;
      if (kind === MARK) {
        const start = at;
        while (KINDS[text.charCodeAt(at + 1)] === MARK) at += 1;
        for (const mark of marksOfRun(text, start, at + 1)) {
          paragraph.read(mark);
          if (mark.start < nextStep) continue;
          yield;
          nextStep = mark.start + STEP;
        }
      }
      lastSaid = text.charAt(at);
    }
    paragraph.end(text.length);
    return new Quotations(all);
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
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.start ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return this.all[low - 1];
  }
}

/** A part of a text from the first to the last that says something. */
function saidIn(text: string, { start, end }: TextSpan): TextSpan {
  const part = text.slice(start, end);
  const last = LAST_SAID.exec(part);
  return { start: start + Math.max(0, part.search(SAYS)), end: last ? start + last.index + last[0].length : end };
}

/** Whether a line begins with a dash of a dialogue, or as one of a block quote does. */
function isSpoken(text: string, at: number, lastSaid: string): boolean {
  const code = text.charCodeAt(at);
  if (code === BLOCK_QUOTE || code === WIDE_BLOCK_QUOTE) return true;
  if (code < 0x2013 || code > 0x2015) return false;
  const beginning = text.slice(at, at + 3);
  return lastSaid === ''
    ? DIALOGUE.test(beginning)
    : ENDS_SENTENCE.test(lastSaid) && DIALOGUE_IN_PARAGRAPH.test(beginning);
}
