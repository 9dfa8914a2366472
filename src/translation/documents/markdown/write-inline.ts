import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { InlineText } from '../../units/inline-text.js';
import { toMarkedText, toPieces } from '../formats/marked-text.js';
import type { MarkedPiece, MarkedText } from '../formats/marked-text.js';
import { inlinePieces } from './inline-pieces.js';

/** Where an inline text is written. */
interface InlineTarget {
  readonly isCell: boolean;
  /** It begins a line, so that some characters would begin another block. */
  readonly isLineStart: boolean;
}

const SPECIAL = /[\\`*[\]<]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=\S)~|!(?=\[)/gu;
const BLOCK_BEGIN = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|=+$|-+$|~~~)/;
const NUMBER_BEGIN = /^(\d{1,9})(?=[.)](?:\s|$))/;

/**
 * Writes a translation as Markdown, in one line.
 * @returns undefined where it would not be read as what it is: as the same text with the same markup
 */
export function writeInline(translation: InlineText, marked: MarkedText, target: InlineTarget): string | undefined {
  const pieces = toPieces(translation, marked);
  if (!pieces) return undefined;
  const spaced = spaceOutside(pieces);
  const line = writePieces(spaced, target);
  // By itself it is not in a quote or list any more.
  const alone = spaced.map((piece) =>
    piece.kind === 'text' ? piece : { ...piece, raw: piece.raw.replace(/(\r?\n)[ \t>]*$/, '$1') },
  );
  return isReadAs(writePieces(alone, target), translation, marked, target) ? line : undefined;
}

function writePieces(pieces: readonly MarkedPiece[], target: InlineTarget): string {
  const written = pieces.map((piece) => (piece.kind === 'text' ? escape(piece.text, target) : piece.raw)).join('');
  return target.isLineStart ? escapeBegin(written) : written;
}

function escape(text: string, { isCell }: InlineTarget): string {
  const flat = text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
  const escaped = flat.replaceAll(SPECIAL, (character) => `\\${character}`);
  return isCell ? escaped.replaceAll('|', '\\|') : escaped;
}

function escapeBegin(line: string): string {
  if (NUMBER_BEGIN.test(line)) return line.replace(NUMBER_BEGIN, '$1\\');
  return BLOCK_BEGIN.test(line) ? `\\${line}` : line;
}

/** Emphasis does not begin before a blank, or end behind one. */
function spaceOutside(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const moved = [...pieces];
  for (let index = 1; index < moved.length; index += 1) {
    const [before, piece] = [moved[index - 1] as MarkedPiece, moved[index] as MarkedPiece];
    if (before.kind === 'open' && piece.kind === 'text') {
      const text = piece.text.trimStart();
      const space = piece.text.slice(0, piece.text.length - text.length);
      if (space !== '') moved.splice(index - 1, 2, { kind: 'text', text: space }, before, { kind: 'text', text });
    } else if (piece.kind === 'close' && before.kind === 'text') {
      const text = before.text.trimEnd();
      const space = before.text.slice(text.length);
      if (space !== '') moved.splice(index - 1, 2, { kind: 'text', text }, piece, { kind: 'text', text: space });
    }
  }
  return moved;
}

/** Whether a parser finds in the line what was meant. */
function isReadAs(line: string, translation: InlineText, marked: MarkedText, { isCell }: InlineTarget): boolean {
  const labels = marked.marks.flatMap(({ close }) => /^\]\[([^\]]*)\]$/.exec(close)?.[1] ?? []);
  const around = `${marked.before}${marked.after}`;
  const definitions = [...labels, ...[...around.matchAll(/\]\[([^\]]*)\]/g)].map(([, label]) => label)];
  const text = isCell ? line.replaceAll('\\|', '|') : line;
  const source = [text, ...definitions.map((label) => `[${label}]: x`)].join('\n\n');
  const root: Root = fromMarkdown(source);
  const [block, ...others] = root.children;
  if (block?.type !== 'paragraph' && block?.type !== 'heading') return false;
  if (others.some(({ type }) => type !== 'definition')) return false;
  const read = toMarkedText(inlinePieces(block.children, { text: source, skipped: 0, task: 0 }));
  return outline(read.unit) === outline(translation);
}

/** A unit without white space, since that moves over marks, and with marks without numbers, since these are counted anew. */
function outline(unit: InlineText): string {
  const marks = { open: '\ue000', close: '\ue001', single: '\ue002' };
  const written = unit.map((part) => (part.kind === 'text' ? part.text : marks[part.kind]));
  return written.join('').replaceAll(/\s+/g, '');
}
