import type { Atom, FieldAtom } from './atoms.js';
import { standalone, standaloneAll } from './atoms.js';
import { isLinkCode } from './paragraph-reader.js';

/** A field that has begun, by indexes of what was read. */
interface OpenField {
  readonly begin: number;
  separate: number | undefined;
  code: string;
}

/**
 * Makes one atom of each field that is whole: a group where its result is translated, else a single one. What is left of
 * fields that begin or end in other paragraphs becomes barriers.
 */
export function foldFields(atoms: readonly Atom[], pieces: readonly string[]): Atom[] {
  const folded: Atom[] = [];
  const open: OpenField[] = [];
  for (const atom of atoms) {
    const field = open.at(-1);
    if (atom.kind === 'group') folded.push({ ...atom, children: foldFields(atom.children, pieces) });
    else if (atom.kind !== 'field') folded.push(atom);
    else if (atom.role === 'end' && field) {
      open.pop();
      folded.push(foldField(field, folded.splice(field.begin), atom, pieces));
    } else {
      if (atom.role === 'begin') open.push({ begin: folded.length, separate: undefined, code: '' });
      else if (field && atom.role === 'code' && field.separate === undefined) field.code += atom.code;
      else if (field && atom.role === 'separate') field.separate ??= folded.length - field.begin;
      folded.push(atom);
    }
  }
  return folded.map((atom) => (atom.kind === 'field' ? toBarrier(atom) : atom));
}

function foldField({ separate, code }: OpenField, atoms: Atom[], last: FieldAtom, pieces: readonly string[]): Atom {
  const span = { start: (atoms[0] as Atom).start, end: last.end };
  if (separate === undefined || !isLinkCode(code))
    return { kind: 'single', raw: standaloneAll([...atoms, last], pieces), ...span };
  return {
    kind: 'group',
    open: standaloneAll(atoms.slice(0, separate + 1), pieces),
    close: standalone(last, pieces),
    children: atoms.slice(separate + 1),
    ...span,
  };
}

function toBarrier({ start, end, run }: FieldAtom): Atom {
  return { kind: 'barrier', start, end, run };
}
