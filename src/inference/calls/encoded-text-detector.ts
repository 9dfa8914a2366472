import { LONGEST_READ, isEncodedText, kindsOfBase64, mayBecomeEncoded } from './encoded-texts.js';

/**
 * Finds out of a text that is written piece by piece whether it is one that no rule can read: base64 alone, as soon as it
 * is longer than 256 characters, or a data URL, as soon as its base64 has begun. Of any other text it reads the first
 * pieces alone.
 */
export class EncodedTextDetector {
  private begun = '';
  private isDecided = false;

  /** Adds a piece. @returns true once, when what was written so far is such a text */
  write(piece: string): boolean {
    if (this.isDecided || piece === '') return false;
    this.begun += piece;
    const isEncoded = isEncodedText(this.begun);
    this.isDecided = isEncoded || !mayBecomeEncoded(this.begun);
    if (this.isDecided) this.begun = '';
    // Long, and base64 but for a kind of its characters: which it has, and what may follow, its end shows.
    else if (this.begun.length > 2 * LONGEST_READ) {
      this.begun = kindsOfBase64(this.begun) + this.begun.slice(-LONGEST_READ - 1);
    }
    return isEncoded;
  }
}
