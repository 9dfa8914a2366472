import type { InlinePart, InlineText } from '../../units/inline-text.js';
import { runSteps } from '../../../platform/async/run-steps.js';
import { joinInlineTexts } from '../../units/join-inline-texts.js';
import { pairTags } from '../../units/pair-tags.js';
import type { PairableTag } from '../../units/pair-tags.js';
import { isWellFormed } from './inline-parts.js';

/** A piece of a text with markup: characters that are translated, or markup as it stands. */
export type MarkedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' | 'close' | 'single'; readonly raw: string };

/** A text whose markup is marks. */
export interface MarkedText {
  readonly unit: InlineText;
  /** By the marks' numbers from 1; a pair has two. */
  readonly marks: readonly { readonly open: string; readonly close: string }[];
  /** Markup and white space before and behind the unit. */
  readonly before: string;
  readonly after: string;
}

/** Comments, times within a cue, places of SubRip, where a word may break, and tags of formats without their partners. */
const INVISIBLE =
  /^(?:<!--|<\d|\{\\|<\/?(?:a|b|bdi|bdo|c|del|em|font|i|ins|lang|mark|q|s|small|span|strike|strong|sub|sup|u|v|wbr)\b)/i;
const TAG = /^<(\/?)([a-z][\w-]*)/i;

/** Pieces of which those tags of HTML or subtitles that belong together are pairs; none crosses another pair. */
export function withPairs(pieces: readonly MarkedPiece[]): MarkedPiece[] {
  const places: number[] = [];
  const tags = pieces.flatMap((piece, index) => {
    const tag = toTag(piece);
    if (tag) places.push(index);
    return tag ?? [];
  });
  const paired = [...pieces];
  for (const [at, partner] of runSteps(pairTags(tags, false)).entries()) {
    const place = places[at] ?? 0;
    const piece = pieces[place];
    if (partner >= 0 && piece?.kind === 'single')
      paired[place] = { kind: at < partner ? 'open' : 'close', raw: piece.raw };
  }
  return paired;
}

function toTag(piece: MarkedPiece): PairableTag | undefined {
  if (piece.kind === 'text') return undefined;
  if (piece.kind !== 'single') return { kind: piece.kind === 'open' ? 'markStart' : 'markEnd' };
  const [, slash, name] = TAG.exec(piece.raw) ?? [];
  return name === undefined ? undefined : { kind: slash === '' ? 'start' : 'end', name: name.toLowerCase() };
}

/** Makes a unit of pieces whose pairs are nested. What stands before the first text and behind the last one is left out. */
export function toMarkedText(all: readonly MarkedPiece[]): MarkedText {
  const { pieces, before, after } = trimPieces(all);
  const marks: { open: string; close: string }[] = [];
  const open: number[] = [];
  const parts = pieces.map((piece): InlinePart => {
    if (piece.kind === 'text') return piece;
    const mark = piece.kind === 'close' ? (open.pop() ?? 0) : marks.push({ open: piece.raw, close: '' });
    if (piece.kind === 'open') open.push(mark);
    else if (piece.kind === 'close') (marks[mark - 1] as { close: string }).close = piece.raw;
    return {
      kind: piece.kind,
      mark,
      ...(piece.kind === 'single' && INVISIBLE.test(piece.raw) && { reads: '' }),
    };
  });
  return { unit: joinInlineTexts([parts]), marks, before, after };
}

/** A translation as pieces, what was left out around it too; undefined where its marks are not those of the unit. */
export function toPieces(translation: InlineText, { marks, before, after }: MarkedText): MarkedPiece[] | undefined {
  if (!isWellFormed(translation, marks.length)) return undefined;
  const pieces = translation.map((part): MarkedPiece => {
    if (part.kind === 'text') return part;
    const mark = marks[part.mark - 1];
    return { kind: part.kind, raw: (part.kind === 'close' ? mark?.close : mark?.open) ?? '' };
  });
  return [{ kind: 'single', raw: before }, ...pieces, { kind: 'single', raw: after }];
}

/** Pairs of which one side is left out are left out as a whole: they hold all of it, or nothing. */
function trimPieces(all: readonly MarkedPiece[]): { pieces: MarkedPiece[]; before: string; after: string } {
  const pieces = [...all];
  let [before, after] = ['', ''];
  for (;;) {
    const [first] = pieces;
    const last = pieces.at(-1);
    if (first === undefined || last === undefined) break;
    if (first.kind === 'text' && first.text.trimStart() !== first.text) {
      before += first.text.slice(0, first.text.length - first.text.trimStart().length);
      pieces[0] = { kind: 'text', text: first.text.trimStart() };
    } else if (last.kind === 'text' && last.text.trimEnd() !== last.text) {
      after = last.text.slice(last.text.trimEnd().length) + after;
      pieces[pieces.length - 1] = { kind: 'text', text: last.text.trimEnd() };
    } else if (first.kind === 'text' && first.text === '') pieces.shift();
    else if (last.kind === 'text' && last.text === '') pieces.pop();
    else if (first.kind === 'single') {
      before += first.raw;
      pieces.shift();
    } else if (last.kind === 'single') {
      after = last.raw + after;
      pieces.pop();
    } else if (first.kind === 'open' && last.kind === 'close' && closingOf(pieces, 0) === pieces.length - 1) {
      before += first.raw;
      after = last.raw + after;
      pieces.splice(0, 1);
      pieces.pop();
    } else break;
  }
  return { pieces, before, after };
}

/** The index of what closes a pair. */
function closingOf(pieces: readonly MarkedPiece[], open: number): number {
  let depth = 0;
  return pieces.findIndex((piece, index) => {
    if (index < open) return false;
    if (piece.kind === 'open') depth += 1;
    else if (piece.kind === 'close') depth -= 1;
    return depth === 0;
  });
}
