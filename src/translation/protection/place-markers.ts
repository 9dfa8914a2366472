import type { MarkedToken } from './marker-notation.js';
import type { ProtectedUnit } from './protected-unit.js';

/** How the markers of an answer differ from those of its source; the lists have numbers. */
export interface MarkerPlaces {
  readonly missing: readonly number[];
  readonly repeated: readonly number[];
  readonly unknown: readonly number[];
  /** Pairs that end before they begin or cross others, and markers in another pair than in the source. */
  readonly misplaced: readonly number[];
  /** Pairs that held text and hold none. */
  readonly emptied: readonly number[];
  /** Whether each marker is there once, and pairs are nested as they were. */
  readonly isWhole: boolean;
}

interface Place {
  /** The pair that a marker is in; 0: none. */
  readonly parent: number;
  hasText: boolean;
}

interface Structure {
  readonly places: Map<number, Place>;
  readonly repeated: Set<number>;
  readonly crossed: Set<number>;
}

const VISIBLE = /\S/;
const UNMARKED: MarkerPlaces = { missing: [], repeated: [], unknown: [], misplaced: [], emptied: [], isWhole: true };

/** An answer is compared when it is checked and when it is restored. */
const structures = new WeakMap<ProtectedUnit, Structure>();

function sourceStructureOf(unit: ProtectedUnit): Structure {
  let structure = structures.get(unit);
  if (!structure) structures.set(unit, (structure = structureOf(unit.tokens)));
  return structure;
}

/**
 * Compares the markers of an answer with those of its unit. What stands for characters, such as a placeholder, may leave
 * its pair. Takes time in proportion to both.
 */
export function placeMarkers(unit: ProtectedUnit, answer: readonly MarkedToken[]): MarkerPlaces {
  if (unit.markers.size === 0 && answer.every(({ kind }) => kind === 'text')) return UNMARKED;
  const [wanted, found] = [sourceStructureOf(unit), structureOf(answer)];
  const missing: number[] = [];
  const misplaced = new Set([...found.crossed].filter((number) => wanted.places.has(number)));
  const emptied: number[] = [];
  for (const [number, { parent, hasText }] of wanted.places) {
    const place = found.places.get(number);
    if (!place) missing.push(number);
    else if (place.parent !== parent && !isFree(unit, number)) misplaced.add(number);
    else if (hasText && !place.hasText) emptied.push(number);
  }
  const unknown = [...found.places.keys(), ...found.crossed].filter((number) => !wanted.places.has(number));
  const repeated = [...found.repeated].filter((number) => wanted.places.has(number));
  const isWhole = missing.length + unknown.length + repeated.length + misplaced.size === 0;
  return { missing, repeated, unknown: [...new Set(unknown)], misplaced: [...misplaced], emptied, isWhole };
}

function isFree({ markers }: ProtectedUnit, number: number): boolean {
  const marker = markers.get(number);
  return marker?.kind === 'single' && marker.content.kind !== 'single';
}

function structureOf(tokens: readonly MarkedToken[]): Structure {
  const places = new Map<number, Place>();
  const repeated = new Set<number>();
  const crossed = new Set<number>();
  const open: number[] = [];
  const ended = new Set<number>();
  for (const token of tokens) {
    if (token.kind === 'text') {
      if (VISIBLE.test(token.text)) markText(places, open.at(-1));
      continue;
    }
    const { kind, number } = token;
    if (kind === 'close') {
      if (open.at(-1) === number) open.pop();
      else if (ended.has(number)) repeated.add(number);
      else crossed.add(number);
      ended.add(number);
      continue;
    }
    if (places.has(number)) repeated.add(number);
    else places.set(number, { parent: open.at(-1) ?? 0, hasText: false });
    if (kind === 'single') markText(places, open.at(-1));
    else open.push(number);
  }
  for (const number of open) crossed.add(number);
  return { places, repeated, crossed };
}

function markText(places: ReadonlyMap<number, Place>, parent: number | undefined): void {
  const place = parent === undefined ? undefined : places.get(parent);
  if (place) place.hasText = true;
}
