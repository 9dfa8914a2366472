import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { CitationVerifier } from './citation-verifier.js';
import { SentenceBuffer } from './sentence-buffer.js';

/** Long pieces are looked at in slices, between which others have their turn. */
const SLICE_CHARACTERS = 4_000;
/** What a line of code fences begins with (CommonMark), and what may become that. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)/s;
const BEGINNING_OF_FENCE = /^ {0,3}(?:`{0,2}$|~{1,2}$|`{3}|~{3})/;
/** No fence is longer. */
const LONGEST_FENCE = 500;

/** A text that a model writes piece by piece, in which marks are left that are true. Brackets of code blocks are no marks. */
export class CitedText {
  private readonly sentences = new SentenceBuffer();
  /** What has come of a line that may be a fence. */
  private line = '';
  /** Whether the line has begun, and is none. */
  private isInLine = false;
  /** The fence that ends the code; undefined outside of it. */
  private fence: string | undefined;

  constructor(
    private readonly verifier: Pick<CitationVerifier, 'verify'>,
    private readonly cooperation: CooperativeYield,
  ) {}

  /** @returns what may be sent after another piece. @throws the reason of the signal */
  async write(piece: string): Promise<string> {
    let written = '';
    for (let start = 0; start < piece.length; start += SLICE_CHARACTERS) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      written += await this.writeSlice(piece.slice(start, start + SLICE_CHARACTERS));
    }
    return written;
  }

  /** @returns what was held back, when the text has ended. @throws the reason of the signal */
  async end(): Promise<string> {
    const rest = await this.writeLine(this.line);
    const last = await this.verified(this.sentences.end());
    this.line = '';
    this.isInLine = false;
    this.fence = undefined;
    return rest + last;
  }

  private async writeSlice(slice: string): Promise<string> {
    let written = '';
    for (const part of slice.split(/(?<=\n)/)) {
      this.line += part;
      const isWhole = part.endsWith('\n');
      const mayBeFence = !this.isInLine && this.line.length <= LONGEST_FENCE && BEGINNING_OF_FENCE.test(this.line);
      if (!isWhole && mayBeFence) continue;
      written += await this.writeLine(this.line);
      this.line = '';
      this.isInLine = !isWhole;
    }
    return written;
  }

  /** A line, or a part of one that is no fence. */
  private async writeLine(line: string): Promise<string> {
    const [, fence, info = ''] = (!this.isInLine && FENCE.exec(line)) || [];
    if (fence === undefined) return this.fence === undefined ? this.verified(this.sentences.push(line)) : line;
    if (this.fence === undefined) {
      const before = await this.verified(this.sentences.end());
      this.fence = fence;
      return before + (await this.verifier.verify(line));
    }
    if (fence.startsWith(this.fence) && info.trim() === '') this.fence = undefined;
    return line;
  }

  private async verified(sentences: readonly string[]): Promise<string> {
    let verified = '';
    for (const sentence of sentences) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      verified += await this.verifier.verify(sentence);
    }
    return verified;
  }
}
