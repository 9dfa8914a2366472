import { CUE_LINE_CHARACTERS } from '../../../platform/text/wrapped-lines.js';
import type { MarkedPiece } from './marked-text.js';

/** Breaks a cue that is longer than a line in two, where these are most alike. */
export function breakCue(pieces: readonly MarkedPiece[], ending: string): MarkedPiece[] {
  const text = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const place = [...text].length > CUE_LINE_CHARACTERS ? breakPlace(text) : undefined;
  if (!place) return [...pieces];
  let offset = 0;
  let isBroken = false;
  return pieces.flatMap((piece): MarkedPiece[] => {
    if (piece.kind !== 'text') return [piece];
    const start = offset;
    offset += piece.text.length;
    if (isBroken || place.start >= offset || place.start < start) return [piece];
    isBroken = true;
    const head = piece.text.slice(0, place.start - start);
    const tail = piece.text.slice(place.end - start);
    return [
      { kind: 'text', text: head },
      { kind: 'single', raw: ending },
      { kind: 'text', text: tail },
    ];
  });
}

/** Where a text is broken, with the white space that the break replaces; undefined where it cannot be. */
function breakPlace(text: string): { start: number; end: number } | undefined {
  const blanks = [...text.matchAll(/\s+/g)].map(({ 0: blank, index }) => ({ start: index, end: index + blank.length }));
  const places = blanks.length > 0 ? blanks : wordEnds(text);
  const inside = places.filter(({ start, end }) => start > 0 && end < text.length);
  const longer = ({ start, end }: { start: number; end: number }) => Math.max(start, text.length - end);
  return inside.toSorted((one, other) => longer(one) - longer(other))[0];
}

/** Of languages that write no blanks between words. */
function wordEnds(text: string): { start: number; end: number }[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return [...words].map(({ index }) => ({ start: index, end: index }));
}
