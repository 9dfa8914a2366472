import { LIMITS } from '../limits.js';
import { pieceEnd } from '../piece-writer.js';

/**
 * Cuts a text that comes in parts into pieces of at most twice the usual length. The pieces joined are the text.
 * @param newFence tells of each line of a piece whether the text may not be cut behind it, though it is blank
 */
export async function* textPieces(
  parts: AsyncIterable<string>,
  newFence: () => (line: string) => boolean = () => () => false,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const part of parts) {
    text += part;
    let start = 0;
    while (text.length - start >= 2 * LIMITS.pieceCharacters) {
      const piece = text.slice(start, start + 2 * LIMITS.pieceCharacters);
      const end = start + cutOf(piece, newFence());
      yield text.slice(start, end);
      start = end;
    }
    text = text.slice(start);
  }
  if (text !== '') yield text;
}

/** Behind the first blank line from half of the piece on, else behind the last one, else behind a blank or anywhere. */
function cutOf(piece: string, isFenced: (line: string) => boolean): number {
  let blank = 0;
  let start = 0;
  for (let next = piece.indexOf('\n'); next >= 0 && blank < LIMITS.pieceCharacters; next = piece.indexOf('\n', start)) {
    const line = piece.slice(start, next);
    start = next + 1;
    if (!isFenced(line) && line.trim() === '') blank = start;
  }
  return blank > 0 ? blank : pieceEnd(piece, 0);
}
