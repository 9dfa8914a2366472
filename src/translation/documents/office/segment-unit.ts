import type { InlinePart, InlineText } from '../../units/inline-text.js';
import { joinInlineTexts } from '../../units/join-inline-texts.js';
import { hasLetters, plainText } from '../formats/inline-parts.js';
import type { Atom, GroupAtom, RunFormat, SingleAtom, TextAtom } from './atoms.js';
import { hasText, leaves } from './atoms.js';

/** What a mark of a unit stands for. */
export type SegmentMark =
  | { readonly kind: 'format'; readonly run: RunFormat | undefined }
  /** `parent`: the mark of the group that it lies in; `run`: in which text is written that lies in no other mark. */
  | {
      readonly kind: 'group';
      readonly group: GroupAtom;
      readonly parent: number | undefined;
      readonly run: RunFormat | undefined;
    }
  | { readonly kind: 'single'; readonly atom: SingleAtom };

/** Atoms of a paragraph that are translated together. */
export interface SegmentUnit {
  readonly atoms: readonly Atom[];
  readonly unit: InlineText;
  /** By their numbers from 1. */
  readonly marks: readonly SegmentMark[];
  /** The texts before the first mark, between each mark and the next one, and behind the last one. */
  readonly gaps: readonly (readonly TextAtom[])[];
  /** In which text is written that lies in no mark. */
  readonly base: RunFormat | undefined;
  /** White space before and behind the unit. */
  readonly before: string;
  readonly after: string;
}

/** What says how a text is checked, and not how it looks. */
const UNSEEN =
  /\s(?:lang|altLang|dirty|err|smtClean|noProof|smtId|bmk)="[^"]*"|<\w+:(?:lang|noProof)\b[^>]*\/>|<(\w+:rPr)>\s*<\/\1>|<\w*:?rPr\s*\/>/g;

/** The units of a paragraph, in their order. */
export function* segmentUnits(atoms: readonly Atom[]): Generator<SegmentUnit, void, undefined> {
  for (const segment of segments(atoms)) {
    const trimmed = trim(segment);
    const text = leaves(trimmed).map((atom) => (atom.kind === 'text' ? atom.text : ''));
    if (hasLetters(text.join(''))) yield new SegmentReader(trimmed).read();
  }
}

/** Atoms between barriers. */
function* segments(atoms: readonly Atom[]): Generator<Atom[], void, undefined> {
  let segment: Atom[] = [];
  for (const atom of atoms) {
    const isSplit = atom.kind === 'group' && leaves([atom]).some(({ kind }) => kind === 'barrier');
    if (!isSplit && atom.kind !== 'barrier') segment.push(atom);
    else {
      yield segment;
      segment = [];
      if (isSplit) yield* segments(atom.children);
    }
  }
  yield segment;
}

/** Without what is before the first text and behind the last one, and without a group around all of it. */
function trim(atoms: readonly Atom[]): readonly Atom[] {
  const first = atoms.findIndex(isTextual);
  const rest = first < 0 ? [] : atoms.slice(first, atoms.findLastIndex(isTextual) + 1);
  const [only] = rest;
  return rest.length === 1 && only?.kind === 'group' ? trim(only.children) : rest;
}

/** Line breaks stay with the characters of their element. */
function isTextual(atom: Atom): boolean {
  return hasText(atom) || (atom.kind === 'single' && atom.isLineBreak === true);
}

class SegmentReader {
  private readonly atoms: readonly Atom[];
  private readonly parts: InlinePart[] = [];
  private readonly marks: SegmentMark[] = [];
  private readonly gaps: TextAtom[][] = [[]];
  private readonly keys = new Map<RunFormat | undefined, string>();
  private readonly base: RunFormat | undefined;
  /** In which text is written that lies in no format's mark. */
  private current: RunFormat | undefined;
  /** The mark of a format that is open, and its key. */
  private format: { readonly mark: number; readonly key: string } | undefined;

  constructor(atoms: readonly Atom[]) {
    this.atoms = atoms;
    this.base = this.mostUsed(leaves(atoms).filter((atom) => atom.kind === 'text'));
    this.current = this.base;
  }

  read(): SegmentUnit {
    this.addAll(this.atoms, undefined);
    this.endFormat();
    const unit = [...joinInlineTexts([this.parts])];
    const { atoms, marks, gaps, base } = this;
    const before = edge(unit, 0, /^\s+/);
    const after = edge(unit, unit.length - 1, /\s+$/);
    return { atoms, unit, marks, gaps, base, before, after };
  }

  private addAll(atoms: readonly Atom[], parent: number | undefined): void {
    for (const atom of atoms) {
      if (atom.kind === 'text') this.addText(atom);
      else if (atom.kind === 'single') this.addSingle(atom);
      else if (atom.kind === 'group') {
        this.endFormat();
        const outer = this.current;
        this.current = this.mostUsed(leaves(atom.children).filter((leaf) => leaf.kind === 'text'));
        const mark = this.marks.push({ kind: 'group', group: atom, parent, run: this.current });
        this.add({ kind: 'open', mark });
        this.addAll(atom.children, mark);
        this.endFormat();
        this.add({ kind: 'close', mark });
        this.current = outer;
      }
    }
  }

  private addSingle(atom: SingleAtom): void {
    if (this.format && this.keyOf(atom.run) !== this.format.key) this.endFormat();
    const mark = this.marks.push({ kind: 'single', atom });
    this.add({ kind: 'single', mark, ...(atom.reads !== undefined && { reads: atom.reads }) });
  }

  private addText(atom: TextAtom): void {
    const key = this.keyOf(atom.run);
    const isBlank = atom.text.trim() === '';
    if (!isBlank && key !== (this.format?.key ?? this.keyOf(this.current))) {
      this.endFormat();
      if (key !== this.keyOf(this.current)) {
        const mark = this.marks.push({ kind: 'format', run: atom.run });
        this.format = { mark, key };
        this.add({ kind: 'open', mark });
      }
    }
    this.parts.push({ kind: 'text', text: atom.text });
    this.gaps.at(-1)?.push(atom);
  }

  private endFormat(): void {
    if (this.format) this.add({ kind: 'close', mark: this.format.mark });
    this.format = undefined;
  }

  private add(mark: InlinePart): void {
    this.parts.push(mark);
    this.gaps.push([]);
  }

  /** The format of most characters. */
  private mostUsed(texts: readonly TextAtom[]): RunFormat | undefined {
    const lengths = new Map<string, number>();
    for (const { run, text } of texts) {
      const key = this.keyOf(run);
      lengths.set(key, (lengths.get(key) ?? 0) + text.trim().length);
    }
    const [most] = [...lengths].toSorted(([, one], [, other]) => other - one);
    return texts.find(({ run }) => this.keyOf(run) === most?.[0])?.run;
  }

  private keyOf(run: RunFormat | undefined): string {
    let key = this.keys.get(run);
    if (key === undefined) {
      // A property within properties may be all that these have.
      key = (run?.properties ?? '').replaceAll(UNSEEN, '').replaceAll(UNSEEN, '');
      this.keys.set(run, key);
    }
    return key;
  }
}

/** Cuts white space off a part that is a text. */
function edge(unit: InlinePart[], index: number, space: RegExp): string {
  const part = unit[index];
  if (part?.kind !== 'text') return '';
  const [cut = ''] = space.exec(part.text) ?? [];
  const text = part.text.replace(space, '');
  if (text === '') unit.splice(index, 1);
  else unit[index] = { kind: 'text', text };
  return cut;
}

/** Whether a unit has a text that stands for something else in its file, and must not change. */
export function isFixed({ unit }: SegmentUnit, fixed: ReadonlySet<string>): boolean {
  return fixed.size > 0 && fixed.has(toHead(plainText(unit)));
}

/** The head of a column as it is compared: without line breaks, and without white space at its ends. */
export function toHead(text: string): string {
  return text.replaceAll(/[\r\n]/g, '').trim();
}
