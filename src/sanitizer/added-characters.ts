import { ContentBlocked } from '../errors.js';

const MOST = 1_000_000;

/** What replacements add to one content: much more than it had would keep everybody waiting. */
export class AddedCharacters {
  private count = 0;

  /** @throws ContentBlocked where it is too much */
  add(found: string, replacement: string): void {
    this.count += replacement.length - found.length;
    if (this.count <= MOST) return;
    throw new ContentBlocked(
      'What sanitizer policies put in the place of what they have found makes this content too long.',
    );
  }
}
