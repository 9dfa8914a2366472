import { decodeHTML } from 'entities';
import type { InlineText } from '../../units/inline-text.js';
import { hasLetters, plainText } from './inline-parts.js';
import { toMarkedText, toPieces, withPairs } from './marked-text.js';
import type { MarkedPiece, MarkedText } from './marked-text.js';
import { replaceUnit, textFormat } from './splices.js';
import { breakCue } from './break-cue.js';

const TIME_LINE = /^[ \t]*[\d:.,]+[ \t]+-->[ \t]+[\d:.,]+[^\n\r]*(?:\r\n|\r|\n)/gm;
const BLANK_LINE = /(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n|$)/;
/** Of the next cue, where no blank line stands before it. */
const NEXT_NUMBER = /(?:^|\r\n|\r|\n)[ \t]*\d{1,9}[ \t]*(?:\r\n|\r|\n)$/;
/** Of SubRip and WebVTT, and what players of SubRip read of other formats: `<i>`, `<v Ann>`, `<00:01.000>`, `{\an8}`. */
const TAG = /(<\/?[a-z\d][^<>\r\n]*>|\{\\[^{}\r\n]*\})/i;
/** Each line is another speaker's. */
const SPEECH = /^\s*[-–—]\s*\S/;
const LINE_BREAK = /\r\n|\r|\n/;

/** How a format writes characters that are markup. */
interface Escapes {
  decode(text: string): string;
  encode(text: string): string;
}

/** SubRip has no way to write an arrow, which would begin another cue. */
const NONE: Escapes = { decode: (text) => text, encode: (text) => text.replaceAll('-->', '-- >') };

/** WebVTT (W3C, 6.4) reads references as HTML does. */
const REFERENCES: Escapes = {
  decode: decodeHTML,
  encode: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
};

/** SubRip files: what is said in each cue, and nothing of its time. */
export const srt = subtitles(NONE);

/** WebVTT files, likewise; notes, styles and regions are no cues. */
export const vtt = subtitles(REFERENCES);

function subtitles(escapes: Escapes) {
  return textFormat(async function* readCues(text, edit) {
    for (const { start, end } of cuesOf(text)) {
      for (const [from, to] of speechesOf(text, start, end)) {
        const marked = toMarkedText(piecesOf(text.slice(from, to), escapes));
        if (!hasLetters(plainText(marked.unit))) continue;
        const ending = LINE_BREAK.exec(text)?.[0] ?? '\n';
        // Two speakers have a line each already.
        const isAlone = from === start && to === end;
        const write = (translation: InlineText) => writeCue(translation, marked, { escapes, ending, isAlone });
        const splice = await replaceUnit({ start: from, end: to, unit: marked.unit, write }, edit);
        if (splice) yield splice;
      }
    }
  });
}

/** Where the texts of cues stand: up to a blank line, or the number and the times of the next cue. */
function* cuesOf(text: string): Generator<{ start: number; end: number }, void, undefined> {
  let start: number | undefined;
  for (const { 0: line, index } of text.matchAll(TIME_LINE)) {
    if (start !== undefined) yield* cueIn(text, start, index);
    start = index + line.length;
  }
  if (start !== undefined) yield* cueIn(text, start, text.length);
}

function* cueIn(
  text: string,
  start: number,
  limit: number,
): Generator<{ start: number; end: number }, void, undefined> {
  const rest = text.slice(start, limit);
  // A cue without text is followed by the next one.
  if (/^[ \t]*(?:\r|\n|$)/.test(rest)) return;
  const own = limit < text.length ? rest.replace(NEXT_NUMBER, '') : rest;
  const blank = own.search(BLANK_LINE);
  const said = blank < 0 ? own : own.slice(0, blank);
  if (said.trim() !== '') yield { start, end: start + said.trimEnd().length };
}

/** The whole cue, or its lines where each is another speaker's. */
function speechesOf(text: string, start: number, end: number): [number, number][] {
  const lines = [...text.slice(start, end).matchAll(/[^\r\n]+/g)];
  if (lines.length < 2 || !lines.every(([line]) => SPEECH.test(line))) return [[start, end]];
  return lines.map(({ 0: line, index }) => [
    start + index + (/^\s*[-–—]\s*/.exec(line)?.[0].length ?? 0),
    start + index + line.length,
  ]);
}

function piecesOf(cue: string, { decode }: Escapes): MarkedPiece[] {
  const pieces = cue.split(TAG).map((raw, index): MarkedPiece => {
    if (index % 2 === 1) return { kind: 'single', raw };
    return { kind: 'text', text: decode(raw.replaceAll(/[ \t]*(?:\r\n|\r|\n)[ \t]*/g, ' ')) };
  });
  return withPairs(pieces);
}

/** The times within a cue, in their order. */
function timesOf(pieces: readonly MarkedPiece[]): string {
  const [, ...inner] = pieces.slice(0, -1);
  return inner.map((piece) => (piece.kind === 'single' ? timeOf(piece.raw) : '')).join('');
}

function timeOf(raw: string): string {
  return /^<\d/.test(raw) ? raw : '';
}

function writeCue(
  translation: InlineText,
  marked: MarkedText,
  { escapes, ending, isAlone }: { readonly escapes: Escapes; readonly ending: string; readonly isAlone: boolean },
): string | undefined {
  const pieces = toPieces(translation, marked);
  // Words are shown in the order of their times.
  if (!pieces || timesOf(pieces) !== marked.marks.map(({ open }) => timeOf(open)).join('')) return undefined;
  // A blank line would end the cue.
  const flat = pieces.map((piece) =>
    piece.kind === 'text' ? { ...piece, text: piece.text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ') } : piece,
  );
  const broken = isAlone ? breakCue(flat, ending) : flat;
  return broken.map((piece) => (piece.kind === 'text' ? escapes.encode(piece.text) : piece.raw)).join('');
}
