import type { TextEdit, TextEdits } from '../../inference/domain.js';
import { isCharacter } from './inline-text.js';
import type { InlinePart, InlineText } from './inline-text.js';
import { joinInlineTexts } from './join-inline-texts.js';

/** What a text becomes, and where: `edits` gets all that was changed. */
type Change = (text: string, edits: TextEdits) => string | Promise<string>;

/** A part of a unit, and what is read in its place: the characters of a text, a line break for what keeps words apart. */
interface ReadPart {
  readonly part: InlinePart;
  readonly read: string;
}

/**
 * Changes the characters of a unit, read as one text. What is put in the place of others stands where they began, and those
 * around it in the parts in which they were. Marks stay, but for those that were read as a character of what was replaced.
 * @throws what the change throws; RangeError where it has not told all of its edits
 */
export async function changeUnit(unit: InlineText, change: Change): Promise<InlineText> {
  let parts = unit.map((part): ReadPart => ({ part, read: readOf(part) }));
  const edits: TextEdit[][] = [];
  const text = textOf(parts);
  const changed = text === '' ? '' : await change(text, edits);
  if (changed === text) return unit;
  for (const pass of edits) parts = edited(parts, pass);
  if (textOf(parts) !== changed) throw new RangeError('What was changed in a text does not make the changed one.');
  return joinInlineTexts([parts.map(({ part, read }) => (part.kind === 'text' ? { kind: 'text', text: read } : part))]);
}

function readOf(part: InlinePart): string {
  if (part.kind === 'text') return part.text;
  return part.kind === 'single' ? (part.reads ?? '\n') : '';
}

function textOf(parts: readonly ReadPart[]): string {
  return parts.map(({ read }) => read).join('');
}

/** In time in proportion to the parts and the edits. */
function edited(parts: readonly ReadPart[], edits: readonly TextEdit[]): ReadPart[] {
  const made: ReadPart[] = [];
  let next = 0;
  let start = 0;
  for (const { part, read } of parts) {
    const end = start + read.length;
    let kept = '';
    let at = start;
    for (let edit = edits[next]; edit && edit.start < end; edit = edits[next]) {
      kept += read.slice(at - start, Math.max(at, edit.start) - start);
      if (edit.start >= start && part.kind === 'text') kept += edit.text;
      // A mark has no characters of its own.
      else if (edit.start >= start) made.push({ part: { kind: 'text', text: '' }, read: edit.text });
      at = Math.min(edit.end, end);
      if (edit.end > end) break;
      next += 1;
    }
    const left = kept + read.slice(at - start);
    if (left !== '' || part.kind !== 'single' || !isCharacter(part)) made.push({ part, read: left });
    start = end;
  }
  return made;
}
