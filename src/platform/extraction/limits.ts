/** What is read of one file at most, whatever its format. */
export const LIMITS = {
  /** Pages, sheets and slides. */
  pages: 10_000,
  /** UTF-16 units of the text of the whole file. */
  characters: 64 * 1024 * 1024,
  /** UTF-16 units of a page that cannot be given in pieces. */
  pageCharacters: 512 * 1024,
  /** A piece is given when its text is as long as this, in UTF-16 units; so is one block at most. */
  pieceCharacters: 32 * 1024,
  /** Blocks of a page or piece. */
  blocks: 10_000,
  /** Boxes of a page. */
  boxes: 20_000,
  /** How deep elements of XML and HTML may lie in one another. */
  xmlDepth: 256,
  htmlDepth: 4_096,
  /** Entries of a zip file, and what may come out of it in all, in bytes. */
  zipEntries: 20_000,
  zipBytes: 1024 * 1024 * 1024,
  /** An entry that has given so many bytes may not be more than so many times as large as it was. */
  zipRatioBytes: 32 * 1024 * 1024,
  zipRatio: 200,
  /** Columns of a table. */
  columns: 1_024,
  /** Pixels of an image. */
  pixels: 100_000_000,
} as const;
