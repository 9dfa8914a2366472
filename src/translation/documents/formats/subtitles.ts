import type { InlineText } from '../../units/inline-text.js';
import { hasLetters, plainText } from './inline-parts.js';
import { toMarkedText, toPieces } from './marked-text.js';
import type { MarkedPiece, MarkedText } from './marked-text.js';
import { replaceUnit, textFormat } from './splices.js';
import { breakCue } from './break-cue.js';

const TIME_LINE = /^[ \t]*[\d:.,]+[ \t]+-->[ \t]+[\d:.,]+[^\n\r]*(?:\r\n|\r|\n)/gm;
const BLANK_LINE = /(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n|$)/g;
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

/** WebVTT (W3C, 3.1). */
const REFERENCES: Escapes = {
  decode: (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', '\u00a0').replaceAll('&amp;', '&'),
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

/** Where the texts of cues stand. */
function* cuesOf(text: string): Generator<{ start: number; end: number }, void, undefined> {
  for (const { 0: line, index } of text.matchAll(TIME_LINE)) {
    const start = index + line.length;
    BLANK_LINE.lastIndex = start;
    // A cue without text is followed by the next one.
    if (/^[ \t]*(?:\r|\n|$)/.test(text.slice(start, start + 200))) continue;
    const end = BLANK_LINE.exec(text)?.index ?? text.length;
    yield { start, end: start + text.slice(start, end).trimEnd().length };
  }
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
  const raws = cue.split(TAG);
  const pairs = pairTags(raws);
  return raws.map((raw, index): MarkedPiece => {
    if (index % 2 === 0) return { kind: 'text', text: decode(raw.replaceAll(/[ \t]*(?:\r\n|\r|\n)[ \t]*/g, ' ')) };
    return { kind: pairs.get(index) ?? 'single', raw };
  });
}

/** Which tags open and close something; others stand alone. */
function pairTags(raws: readonly string[]): Map<number, 'open' | 'close'> {
  const pairs = new Map<number, 'open' | 'close'>();
  const open: { readonly index: number; readonly name: string }[] = [];
  for (let index = 1; index < raws.length; index += 2) {
    const [, slash, name = ''] = /^<(\/?)([a-z]+)/i.exec(raws[index] ?? '') ?? [];
    if (name === '') continue;
    if (slash === '') open.push({ index, name });
    else if (open.at(-1)?.name === name) {
      pairs.set(open.pop()?.index ?? 0, 'open');
      pairs.set(index, 'close');
    }
  }
  return pairs;
}

function writeCue(
  translation: InlineText,
  marked: MarkedText,
  { escapes, ending, isAlone }: { readonly escapes: Escapes; readonly ending: string; readonly isAlone: boolean },
): string | undefined {
  const pieces = toPieces(translation, marked);
  if (!pieces) return undefined;
  // A blank line would end the cue.
  const flat = pieces.map((piece) =>
    piece.kind === 'text' ? { ...piece, text: piece.text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ') } : piece,
  );
  const broken = isAlone ? breakCue(flat, ending) : flat;
  return broken.map((piece) => (piece.kind === 'text' ? escapes.encode(piece.text) : piece.raw)).join('');
}
