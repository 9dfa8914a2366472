import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { CitationVerifier } from './citation-verifier.js';
import { SentenceBuffer } from './sentence-buffer.js';

/** Long pieces are looked at in slices, between which others have their turn. */
const SLICE_CHARACTERS = 16_384;
/** The lines between which code stands in Markdown; brackets of code are no marks. */
const CODE_FENCE = /^([^\S\n]{0,3}(?:```|~~~).*)$/m;

/** A text that a model writes piece by piece, in which marks are left that are true. */
export class CitedText {
  private readonly sentences = new SentenceBuffer();
  private isCode = false;

  constructor(
    private readonly verifier: Pick<CitationVerifier, 'verify'>,
    private readonly cooperation: CooperativeYield,
  ) {}

  /** @returns what may be sent after another piece. @throws the reason of the signal */
  async write(piece: string): Promise<string> {
    let written = '';
    for (let start = 0; start < piece.length; start += SLICE_CHARACTERS) {
      written += await this.verified(this.sentences.push(piece.slice(start, start + SLICE_CHARACTERS)));
    }
    return written;
  }

  /** @returns what was held back, when the text has ended. @throws the reason of the signal */
  async end(): Promise<string> {
    const rest = await this.verified(this.sentences.end());
    this.isCode = false;
    return rest;
  }

  private async verified(sentences: readonly string[]): Promise<string> {
    let verified = '';
    for (const sentence of sentences) {
      if (this.cooperation.isDue) await this.cooperation.yield();
      for (const [index, part] of sentence.split(CODE_FENCE).entries()) {
        const isFence = index % 2 === 1;
        verified += isFence || this.isCode ? part : await this.verifier.verify(part);
        if (isFence) this.isCode = !this.isCode;
      }
    }
    return verified;
  }
}
