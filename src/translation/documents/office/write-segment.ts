import { isCharacter } from '../../units/inline-text.js';
import type { InlinePart, InlineText } from '../../units/inline-text.js';
import { joinInlineTexts } from '../../units/join-inline-texts.js';
import { isWellFormed } from '../formats/inline-parts.js';
import type { Atom, RunFormat, TextAtom } from './atoms.js';
import { leaves, standalone } from './atoms.js';
import type { Dialect } from './dialect.js';
import { escapeXml } from './escape-xml.js';
import type { SegmentMark, SegmentUnit } from './segment-unit.js';

/**
 * Puts a translation into the pieces of a paragraph. Where its marks stand in the order of the source, only characters
 * change; else what they stand for moves with them.
 * @returns false where that would break the file: the pieces are as they were
 */
export function writeSegment(
  segment: SegmentUnit,
  translation: InlineText,
  pieces: string[],
  dialect: Dialect,
): boolean {
  const mayMiss = (number: number): boolean => {
    const mark = segment.marks[number - 1];
    return mark?.kind === 'single' && isCharacter(mark.atom);
  };
  if (!isWellFormed(translation, segment.marks.length, mayMiss)) return false;
  const parts = joinInlineTexts([
    [{ kind: 'text', text: segment.before }, ...translation, { kind: 'text', text: segment.after }],
  ]);
  if (writeInPlace(segment, parts, pieces, dialect)) return true;
  if (!keepsGroups(segment, parts)) return false;
  moveParts(segment, parts, pieces, dialect);
  return true;
}

function writeInPlace(
  { unit, marks, gaps }: SegmentUnit,
  parts: InlineText,
  pieces: string[],
  dialect: Dialect,
): boolean {
  const source = unit.filter((part) => part.kind !== 'text');
  const texts = [''];
  const order: InlinePart[] = [];
  for (const part of parts) {
    if (part.kind === 'text') texts[texts.length - 1] += part.text;
    else {
      order.push(part);
      texts.push('');
    }
  }
  const isSameOrder = source.every((part, index) => isEqual(part, order[index], marks));
  if (!isSameOrder || texts.some((text, index) => text !== '' && gaps[index]?.length === 0)) return false;
  for (const [index, text] of texts.entries()) fill(gaps[index] ?? [], text, pieces, dialect);
  return true;
}

/** One line break is as good as another. */
function isEqual(one: InlinePart, other: InlinePart | undefined, marks: readonly SegmentMark[]): boolean {
  if (one.kind === 'text' || other === undefined || other.kind === 'text' || one.kind !== other.kind) return false;
  return one.mark === other.mark || (isLineBreak(marks[one.mark - 1]) && isLineBreak(marks[other.mark - 1]));
}

function isLineBreak(mark: SegmentMark | undefined): boolean {
  return mark?.kind === 'single' && mark.atom.isLineBreak === true;
}

function fill(atoms: readonly TextAtom[], text: string, pieces: string[], dialect: Dialect): void {
  if (atoms.map((atom) => atom.text).join('') === text) return;
  const most = Math.max(...atoms.map((atom) => atom.text.trim().length));
  const chosen = atoms.find((atom) => atom.text.trim().length === most);
  for (const atom of atoms) {
    const own = atom === chosen ? text : '';
    pieces[atom.piece] = escapeXml(own);
    if (atom.tag !== undefined && dialect.declaresSpace && own !== own.trim())
      pieces[atom.tag] = declareSpace(pieces[atom.tag] ?? '');
  }
}

function declareSpace(tag: string): string {
  return /\sxml:space\s*=/.test(tag) ? tag : tag.replace(/\s*>$/, ' xml:space="preserve">');
}

/** Whether each group lies in the same group as before: a link in a link is none. */
function keepsGroups({ marks }: SegmentUnit, parts: InlineText): boolean {
  const open: number[] = [];
  return parts.every((part) => {
    const mark = part.kind === 'text' ? undefined : marks[part.mark - 1];
    if (part.kind === 'text' || mark?.kind !== 'group') return true;
    if (part.kind === 'close') {
      open.pop();
      return true;
    }
    const isKept = open.at(-1) === mark.parent;
    open.push(part.mark);
    return isKept;
  });
}

function moveParts(segment: SegmentUnit, parts: InlineText, pieces: string[], dialect: Dialect): void {
  const { atoms, marks, base } = segment;
  const hidden = leaves(atoms).filter((atom) => atom.kind === 'hidden');
  const before = hidden.filter(({ isEnd }) => !isEnd).map((atom) => standalone(atom, pieces));
  const behind = hidden.filter(({ isEnd }) => isEnd).map((atom) => standalone(atom, pieces));
  const sample = leaves(atoms).find((atom) => atom.kind === 'text');
  const formats: (RunFormat | undefined)[] = [];
  const written = parts.map((part) => {
    if (part.kind === 'text') return toRun(part.text, formats.at(-1) ?? base, sample, dialect);
    const mark = marks[part.mark - 1];
    if (mark?.kind === 'single') return standalone(mark.atom, pieces);
    if (part.kind === 'open') formats.push(mark?.run);
    else formats.pop();
    if (mark?.kind !== 'group') return '';
    return part.kind === 'open' ? mark.group.open : mark.group.close;
  });
  const start = (atoms[0] as Atom).start;
  const end = (atoms.at(-1) as Atom).end;
  const first = runAround(atoms[0] as Atom, start);
  const last = runAround(atoms.at(-1) as Atom, end);
  // Before the pieces change.
  const parting = [first?.close ?? '', ...before, ...written, ...behind, last ? last.open + last.properties : ''];
  for (let index = start; index < end; index += 1) pieces[index] = '';
  pieces[start] = parting.join('');
}

/** The run that the place lies in. */
function runAround(atom: Atom, place: number): RunFormat | undefined {
  const run = atom.kind === 'group' ? undefined : atom.run;
  return run && run.start < place && place < run.end ? run : undefined;
}

function toRun(
  text: string,
  run: RunFormat | undefined,
  { tag, close }: Pick<TextAtom, 'tag' | 'close'> = { tag: undefined, close: '' },
  dialect: Dialect,
): string {
  const escaped = escapeXml(text);
  // Without a run the characters stay in their element.
  if (!run || tag === undefined || escaped === '') return escaped;
  const name = close.slice(2, -1);
  const space = dialect.declaresSpace && text !== text.trim() ? ' xml:space="preserve"' : '';
  return `${run.open}${run.properties}<${name}${space}>${escaped}${close}${run.close}`;
}
