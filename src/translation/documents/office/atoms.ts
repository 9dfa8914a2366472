/** A run of text of one format, as its tags stand in the file. */
export interface RunFormat {
  readonly open: string;
  /** Its properties with their tags; empty where it has none. */
  properties: string;
  readonly close: string;
  /** Indexes of its first piece, and of the first one behind it. */
  readonly start: number;
  end: number;
}

/** A stretch of the pieces of a paragraph. */
export interface Span {
  /** Indexes of its first piece, and of the first one behind it. */
  readonly start: number;
  readonly end: number;
  /** The run that it stands in. */
  readonly run?: RunFormat | undefined;
}

/** Characters that are translated. */
export interface TextAtom extends Span {
  readonly kind: 'text';
  readonly text: string;
  /** The index of the piece with the characters. */
  readonly piece: number;
  /** The index of the tag of its element; undefined where it stands in the paragraph itself. */
  readonly tag: number | undefined;
  /** The tag that closes it; empty where it stands in the paragraph itself. */
  readonly close: string;
}

/** Something that stands among the text, such as a picture, or a line break of a cell. */
export interface SingleAtom extends Span {
  readonly kind: 'single';
  /** Where that is more than its pieces. */
  readonly raw?: string;
  /** It is a line break among the characters of an element. */
  readonly isLineBreak?: boolean;
  /** What people read in its place; undefined: it keeps apart what stands on both sides. */
  readonly reads?: string | undefined;
}

/** Something that nobody sees, such as a bookmark. */
export interface HiddenAtom extends Span {
  readonly kind: 'hidden';
  /** Whether it belongs behind the text that is before it. */
  readonly isEnd: boolean;
}

/** A part of a complex field of a Word file (ECMA-376 part 1, 17.16.18). */
export interface FieldAtom extends Span {
  readonly kind: 'field';
  readonly role: 'begin' | 'code' | 'separate' | 'end';
  /** Its code, such as ` HYPERLINK "https://…"`, or a part of it. */
  readonly code: string;
}

/** A part of a field that has no counterpart in its paragraph: nothing is moved over it. */
export interface BarrierAtom extends Span {
  readonly kind: 'barrier';
}

/** An element or field whose content is translated, such as a link. */
export interface GroupAtom extends Span {
  readonly kind: 'group';
  /** Written before and behind the content where that is moved. */
  readonly open: string;
  readonly close: string;
  readonly children: readonly Atom[];
}

/** A part of a paragraph. */
export type Atom = TextAtom | SingleAtom | HiddenAtom | FieldAtom | BarrierAtom | GroupAtom;

/** What is written for an atom that stands on its own. */
export function standalone(atom: Atom, pieces: readonly string[]): string {
  if (atom.kind === 'group') return atom.open + standaloneAll(atom.children, pieces) + atom.close;
  const { run } = atom;
  const raw = rawOf(atom, pieces);
  return run ? run.open + run.properties + raw + run.close : raw;
}

/** As `standalone`. */
export function standaloneAll(atoms: readonly Atom[], pieces: readonly string[]): string {
  return atoms.map((atom) => standalone(atom, pieces)).join('');
}

/** Whether there is text to translate in it. */
export function hasText(atom: Atom): boolean {
  return atom.kind === 'text' || (atom.kind === 'group' && atom.children.some(hasText));
}

/** The atoms in a list and in its groups, in their order, without the groups. */
export function leaves(atoms: readonly Atom[]): Exclude<Atom, GroupAtom>[] {
  return atoms.flatMap((atom) => (atom.kind === 'group' ? leaves(atom.children) : [atom]));
}

function rawOf(atom: Exclude<Atom, GroupAtom>, pieces: readonly string[]): string {
  if (atom.kind === 'single' && atom.raw !== undefined) return atom.raw;
  if (atom.kind !== 'text') return pieces.slice(atom.start, atom.end).join('');
  const raw = pieces[atom.piece] ?? '';
  return atom.tag === undefined ? raw : (pieces[atom.tag] ?? '') + raw + atom.close;
}
