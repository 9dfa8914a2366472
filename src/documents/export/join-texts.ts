/** About so much is given at once, in UTF-16 units. */
const PIECE_LENGTH = 64 * 1024;

/** Joins short texts until it is worth to send them; what fails before the first piece is full fails with nothing sent. */
export async function* joinTexts(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
