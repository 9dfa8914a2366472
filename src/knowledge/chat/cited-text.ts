import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { BracketReferences, PieceSeparator } from './bracket-references.js';
import type { CitationVerifier } from './citation-verifier.js';
import { CodeBlocks } from './code-blocks.js';
import type { TextRun } from './code-blocks.js';
import { HiddenText } from './hidden-text.js';
import { SentenceBuffer } from './sentence-buffer.js';

/** Long pieces are looked at in slices, between which others have their turn. */
const SLICE_CHARACTERS = 2_000;
const BYTE_ORDER_MARK = /^\ufeff/;

/** A text that a model writes piece by piece, in which marks are left that are true. */
export class CitedText {
  private readonly sentences = new SentenceBuffer();
  private readonly references = new BracketReferences();
  private readonly blocks: CodeBlocks | undefined;
  private readonly separator = new PieceSeparator();
  private readonly hidden = new HiddenText();
  private readonly hiddenInCode = new HiddenText(true);
  private hasBegun = false;
  /** Whether the sentences that are held are lines of a block of code. */
  private isCode = false;
  private isFence = false;

  /** @param hasCode whether an index behind a name is no mark in a block of code */
  constructor(
    private readonly verifier: Pick<CitationVerifier, 'verify'>,
    private readonly cooperation: CooperativeYield,
    hasCode: boolean,
  ) {
    this.blocks = hasCode ? new CodeBlocks() : undefined;
  }

  /** @returns what may be sent after another piece. @throws the reason of the signal */
  async write(piece: string): Promise<string> {
    const text = this.hasBegun ? piece : piece.replace(BYTE_ORDER_MARK, '');
    this.hasBegun ||= piece !== '';
    let written = '';
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      const slice = text.slice(start, start + SLICE_CHARACTERS);
      written += await this.writeRuns(this.blocks?.split(slice) ?? [{ text: slice, isCode: false, isFence: false }]);
    }
    return written;
  }

  /** @returns what was held back, when the text has ended. @throws the reason of the signal */
  async end(): Promise<string> {
    return (await this.writeRuns(this.blocks?.end() ?? [])) + (await this.release());
  }

  private async writeRuns(runs: readonly TextRun[]): Promise<string> {
    let written = '';
    for (const { text, isCode, isFence } of runs) {
      // What is said in a fence is not said in the code.
      if (isCode !== this.isCode || isFence || this.isFence) written += await this.release();
      this.isCode = isCode;
      this.isFence = isFence;
      written += await this.verified(this.sentences.push(isCode ? text : this.references.push(text)));
    }
    return written;
  }

  private async release(): Promise<string> {
    const whole = this.sentences.push(this.references.end());
    return this.verified([...whole, ...this.sentences.end()]);
  }

  private async verified(sentences: readonly string[]): Promise<string> {
    let verified = '';
    for (const sentence of sentences) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      const hidden = this.isCode ? this.hiddenInCode : this.hidden;
      const followed = this.separator.follow(await this.verifier.verify(sentence, hidden));
      hidden.add(followed);
      verified += followed;
    }
    return verified;
  }
}
