import type { PhrasingContent } from 'mdast';
import { withPairs } from '../formats/marked-text.js';
import type { MarkedPiece } from '../formats/marked-text.js';

/** Where nodes stand. */
export interface InlinePlace {
  /** The whole text. */
  readonly text: string;
  /** How much of it is before the stretch that was parsed. */
  readonly skipped: number;
  /** How many characters at the beginning are no text. */
  readonly task: number;
}

/** Of GitHub's Markdown, whose footnotes and struck texts CommonMark takes for text. */
const FOOTNOTE = /(\[\^[^\]\s]+\])/;
const FOOTNOTE_OR_STRIKE = /(\[\^[^\]\s]+\]|(?<!~)~{1,2}(?!~))/;
/** Tildes that are no marks. */
const ESCAPED_TILDE = /\\~|&(?:#126|#x7e|tilde);/i;

/** The content of a block as text and markup. */
export function inlinePieces(nodes: readonly PhrasingContent[], place: InlinePlace): MarkedPiece[] {
  const pieces = nodes.flatMap((node, index) => {
    const next = nodes[index + 1];
    const cut = index === 0 ? place.task : 0;
    return piecesOf(node, next ? startOf(next, place) : undefined, { ...place, task: cut });
  });
  return withPairs(withStrikes(pieces));
}

/**
 * Pairs tildes of the same number as GitHub does: before a text that begins at once, and behind one that ends there. What
 * has no partner is text.
 */
function withStrikes(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const paired = pieces.map((piece): MarkedPiece => (isStrike(piece) ? { kind: 'text', text: piece.raw } : piece));
  let depth = 0;
  let open: { readonly at: number; readonly raw: string } | undefined;
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'open') depth += 1;
    else if (piece.kind === 'close') depth -= 1;
    if (depth > 0 || !isStrike(piece)) continue;
    if (open?.raw === piece.raw && !/\s$/.test(charactersOf(pieces[at - 1]))) {
      paired[open.at] = { kind: 'open', raw: piece.raw };
      paired[at] = { kind: 'close', raw: piece.raw };
      open = undefined;
    } else if (/^\S/.test(charactersOf(pieces[at + 1]))) open = { at, raw: piece.raw };
  }
  return paired;
}

function isStrike(piece: MarkedPiece): piece is { readonly kind: 'single'; readonly raw: string } {
  return piece.kind === 'single' && /^~{1,2}$/.test(piece.raw);
}

function charactersOf(piece: MarkedPiece | undefined): string {
  return piece === undefined ? ' ' : piece.kind === 'text' ? piece.text : piece.raw;
}

function piecesOf(node: PhrasingContent, next: number | undefined, place: InlinePlace): MarkedPiece[] {
  const [start, end] = [startOf(node, place), endOf(node, place)];
  const raw = place.text.slice(start, end);
  switch (node.type) {
    case 'text':
      return textPieces(node.value.slice(place.task), ESCAPED_TILDE.test(raw) ? FOOTNOTE : FOOTNOTE_OR_STRIKE);
    case 'break':
      // With what the next line begins with in a quote or list.
      return [{ kind: 'single', raw: place.text.slice(start, next ?? end) }];
    case 'emphasis':
    case 'strong':
    case 'delete':
      return pair(node.children, raw, start, place, '');
    case 'link':
      return raw.startsWith('[') ? pair(node.children, raw, start, place, '') : [{ kind: 'single', raw }];
    case 'linkReference':
      if (raw.startsWith('[^')) return [{ kind: 'single', raw }];
      // What is shown is also the reference's name, unless that stands behind it.
      return pair(node.children, raw, start, place, node.referenceType === 'full' ? '' : `[${node.label ?? ''}]`);
    case 'image':
      return imagePieces(node.alt ?? '', raw);
    default:
      return [{ kind: 'single', raw }];
  }
}

function textPieces(value: string, marks: RegExp): MarkedPiece[] {
  return value
    .replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ')
    .split(marks)
    .map((part, index) => (index % 2 === 0 ? { kind: 'text', text: part } : { kind: 'single', raw: part }));
}

function pair(
  children: readonly PhrasingContent[],
  raw: string,
  start: number,
  place: InlinePlace,
  reference: string,
): MarkedPiece[] {
  const [first, last] = [children[0], children.at(-1)];
  if (!first || !last) return [{ kind: 'single', raw }];
  const open = raw.slice(0, startOf(first, place) - start);
  const rest = raw.slice(endOf(last, place) - start);
  // A collapsed reference ends with `[]`.
  const close = reference === '' ? rest : `]${reference}`;
  return [{ kind: 'open', raw: open }, ...inlinePieces(children, { ...place, task: 0 }), { kind: 'close', raw: close }];
}

/** The text in the place of a picture; one with markup stays as it is. */
function imagePieces(alt: string, raw: string): MarkedPiece[] {
  const open = `![${alt}]`;
  if (alt === '' || !raw.startsWith(open)) return [{ kind: 'single', raw }];
  return [
    { kind: 'open', raw: '![' },
    { kind: 'text', text: alt },
    { kind: 'close', raw: raw.slice(open.length - 1) },
  ];
}

function startOf(node: PhrasingContent, { skipped }: InlinePlace): number {
  return (node.position?.start.offset ?? 0) + skipped;
}

function endOf(node: PhrasingContent, { skipped }: InlinePlace): number {
  return (node.position?.end.offset ?? 0) + skipped;
}
