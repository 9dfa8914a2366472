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

/** Of GitHub's Markdown, whose footnotes CommonMark takes for text. */
const FOOTNOTE = /(\[\^[^\]\s]+\])/;

/** The content of a block as text and markup. */
export function inlinePieces(nodes: readonly PhrasingContent[], place: InlinePlace): MarkedPiece[] {
  const pieces = nodes.flatMap((node, index) => {
    const next = nodes[index + 1];
    const cut = index === 0 ? place.task : 0;
    return piecesOf(node, next ? startOf(next, place) : undefined, { ...place, task: cut });
  });
  return withPairs(pieces);
}

function piecesOf(node: PhrasingContent, next: number | undefined, place: InlinePlace): MarkedPiece[] {
  const [start, end] = [startOf(node, place), endOf(node, place)];
  const raw = place.text.slice(start, end);
  switch (node.type) {
    case 'text':
      return textPieces(node.value.slice(place.task));
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

function textPieces(value: string): MarkedPiece[] {
  return value
    .replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ')
    .split(FOOTNOTE)
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
