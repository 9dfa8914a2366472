/** A line that begins or ends a block: at its very beginning, with a language at most behind it. */
const FENCE = /^(`{3,}|~{3,})([\p{L}\p{N}_+#.-]{0,40})[ \t]*[\r\n]?$/u;
/** What may become one. */
const BEGINNING = /^(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[\p{L}\p{N}_+#.-]{0,40}[ \t]*)$/u;
/** A longer line is none. */
const LONGEST_FENCE = 80;
/** What may end a block in a way that is not looked at, such as indented or in a quotation. */
const RUN = /`{3}|~{3}/;
/** What fences may stand in that is no block of code then: HTML, formulas, blocks that begin in another way. */
const HINDRANCE = /<|\$\$|\\[[(]|`{3}|~{3}/;
const LINES = /(?<=[\n\r])/;
const LINE_BREAK = /[\n\r]$/;

/** A part of a text. */
export interface TextRun {
  readonly text: string;
  readonly isCode: boolean;
  /** Whether it is the line that begins or ends a block, whose language nobody needs to see. */
  readonly isFence: boolean;
}

/**
 * Tells which lines of a text are a block of code, where nobody could see it otherwise: the text comes in pieces, and
 * clients read it by different rules. A line that may be a fence is held back until it is whole, 80 units at most.
 */
export class CodeBlocks {
  /** What has come of a line that may be a fence. */
  private line = '';
  /** Whether a part of the line has been given out; and its last units, with which the next ones may be a run. */
  private isInLine = false;
  private tail = '';
  /** The fence that ends the code; undefined outside of it. */
  private fence: string | undefined;
  private mayBegin = true;

  /** @returns what can be told of the text after another piece, in its order */
  split(piece: string): TextRun[] {
    const runs: TextRun[] = [];
    if (piece === '') return runs;
    for (const part of piece.split(LINES)) {
      this.line += part;
      const isWhole = LINE_BREAK.test(part);
      if (isWhole || this.isInLine || !this.mayBeFence()) add(runs, this.take(isWhole));
    }
    return runs;
  }

  /** @returns what was held back, when the text has ended */
  end(): TextRun[] {
    return this.line === '' ? [] : [this.take(true)];
  }

  private mayBeFence(): boolean {
    return this.line.length <= LONGEST_FENCE && BEGINNING.test(this.line);
  }

  /** A line, or a part of one that is no fence. */
  private take(isWhole: boolean): TextRun {
    const text = this.line;
    const [, fence, language] = (isWhole && !this.isInLine && FENCE.exec(text)) || [];
    const isCode = this.fence === undefined ? this.begins(text, fence) : this.goesOn(text, fence, language);
    this.line = '';
    this.tail = isWhole ? '' : (this.tail + text).slice(-2);
    this.isInLine = !isWhole;
    return { text, isCode, isFence: isCode && fence !== undefined };
  }

  private begins(text: string, fence: string | undefined): boolean {
    if (fence !== undefined && this.mayBegin) {
      this.fence = fence;
      return true;
    }
    if (HINDRANCE.test(this.tail + text)) this.mayBegin = false;
    return false;
  }

  private goesOn(text: string, fence: string | undefined, language: string | undefined): boolean {
    if (text.includes('<')) this.mayBegin = false;
    if (fence !== undefined && language === '' && fence.startsWith(this.fence ?? '')) {
      this.fence = undefined;
      return true;
    }
    if (!RUN.test(this.tail + text)) return true;
    this.fence = undefined;
    this.mayBegin = false;
    return false;
  }
}

function add(runs: TextRun[], run: TextRun): void {
  const last = runs.at(-1);
  const goesOn = last?.isCode === run.isCode && !last.isFence && !run.isFence;
  if (last && goesOn) runs.splice(-1, 1, { ...run, text: last.text + run.text });
  else runs.push(run);
}
