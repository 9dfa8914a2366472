import type { TextBlock } from '../extraction.types.js';
import type { FormatReader } from '../read-file.js';
import { decodeText } from './text-decoding.js';
import { textPieces } from './text-pieces.js';

/** A text without markup: as it is written, its paragraphs between blank lines. */
export const readPlainText: FormatReader = async (file, pages) => {
  for await (const text of textPieces(decodeText(file.chunks(), { onGuess: pages.assume }))) {
    await pages.give({ origin: 'text', text, blocks: paragraphs(text) });
  }
};

function paragraphs(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let block: { start: number; end: number } | undefined;
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end);
    const written = line.trimEnd().length;
    if (written === 0) block = undefined;
    else if (block) block.end = start + written;
    else {
      block = { start: start + written - line.trim().length, end: start + written };
      blocks.push(block as TextBlock & typeof block);
    }
    start = end + 1;
  }
  return blocks.map(({ start, end }) => ({ kind: 'paragraph', start, end }));
}
