import { formatPath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';

/** A value with its proof, whoever has found it. */
export interface FoundValue {
  readonly path: ValuePath;
  readonly value: string | number | boolean;
  readonly confidence: number;
  readonly quote: string;
  readonly page: number | undefined;
  readonly box: readonly number[] | undefined;
  readonly origin: 'text' | 'ocr';
  readonly extractor: 'rules' | 'model' | 'rules+model';
  /** Why it is doubtful; null: nothing speaks against it. */
  readonly reason: string | null;
}

/** What a model alone is trusted with: most of what it quotes is right, and a person looks at it where that is wanted. */
const MODEL_ALONE = 0.8;
/** By how much less likely both are wrong than the rules alone. */
const BOTH_WRONG = 0.3;
/** Where they differ, one is wrong at least. */
const DIFFERING = 0.5;
const SURE = 0.9;
/** Rows of the rules that are looked at for one of the model, behind the last that was the same. */
const ROWS_AHEAD = 20;

/** What is known of a value that a model has told. */
export type ModelValue = Omit<FoundValue, 'confidence' | 'extractor' | 'reason'>;

/**
 * Joins what the rules and a model have found, in small steps. Rows of arrays are the same where they share a value; rows that the model
 * alone has found follow the others.
 */
export function* combineValues(
  byRules: readonly FoundValue[],
  byModel: readonly ModelValue[],
): Generator<void, FoundValue[]> {
  const combined = new Map<string, FoundValue>();
  for (const found of byRules) {
    combined.set(formatPath(found.path), found);
    yield;
  }
  for (const told of yield* inRows(byRules, byModel)) {
    const place = formatPath(told.path);
    combined.set(place, joined(combined.get(place), told));
    yield;
  }
  return [...combined.values()];
}

/** Puts what a model has told into rows, from the outermost arrays inwards: whatever numbers it gives, no row is empty. */
function* inRows(
  byRules: readonly FoundValue[],
  byModel: readonly ModelValue[],
): Generator<void, readonly ModelValue[]> {
  let placed = byModel;
  for (let level = 0; placed.some(({ path }) => indexAt(path, level) >= 0); level += 1) {
    const [known, told] = [yield* rowsOf(byRules, level), yield* rowsOf(placed, level)];
    const rows = new RowMatcher(known, told, level);
    const moved: ModelValue[] = [];
    for (const value of placed) {
      moved.push({ ...value, path: rows.place(value.path) });
      yield;
    }
    placed = moved;
  }
  return placed;
}

/** Where the index of an array stands in a path. @param level how many arrays this one is in @returns -1: nowhere */
function indexAt(path: ValuePath, level: number): number {
  return path.findIndex(
    (step, at) =>
      typeof step === 'number' && path.slice(0, at).filter((one) => typeof one === 'number').length === level,
  );
}

function joined(rules: FoundValue | undefined, told: ModelValue): FoundValue {
  const model = { ...told, confidence: MODEL_ALONE, extractor: 'model', reason: null } as const;
  if (!rules) return model;
  if (rules.extractor !== 'rules') return rules;
  if (rules.value === told.value) {
    const confidence = Math.max(rules.confidence, 1 - (1 - rules.confidence) * BOTH_WRONG);
    return { ...rules, confidence, extractor: 'rules+model' };
  }
  const chosen = rules.confidence >= SURE ? rules : model;
  return { ...chosen, confidence: Math.min(chosen.confidence, DIFFERING), reason: 'extractors_differ' };
}

/** The values of the rows of one array, by their numbers. */
type Rows = ReadonlyMap<number, ReadonlySet<string>>;

/** Finds which rows of the rules those of a model are, in the arrays of one level. */
class RowMatcher {
  private readonly places = new Map<string, ReadonlyMap<number, number>>();

  constructor(
    known: ReadonlyMap<string, Rows>,
    told: ReadonlyMap<string, Rows>,
    private readonly level: number,
  ) {
    for (const [array, rows] of told) this.places.set(array, match(known.get(array) ?? new Map(), rows));
  }

  place(path: ValuePath): ValuePath {
    const at = indexAt(path, this.level);
    if (at < 0) return path;
    const row = this.places.get(formatPath(path.slice(0, at)))?.get(Number(path[at]));
    return row === undefined ? path : [...path.slice(0, at), row, ...path.slice(at + 1)];
  }
}

function match(known: Rows, told: Rows): Map<number, number> {
  const places = new Map<number, number>();
  const last = Math.max(-1, ...known.keys());
  let [next, added] = [0, last + 1];
  for (const [row, values] of [...told].toSorted(([one], [other]) => one - other)) {
    const same = rowLike(known, values, next, Math.min(last, next + ROWS_AHEAD));
    if (same === undefined) places.set(row, added++);
    else {
      places.set(row, same);
      next = same + 1;
    }
  }
  return places;
}

function rowLike(known: Rows, values: ReadonlySet<string>, first: number, last: number): number | undefined {
  let best: { row: number; shared: number } | undefined;
  for (let row = first; row <= last; row += 1) {
    const shared = [...(known.get(row) ?? [])].filter((value) => values.has(value)).length;
    if (shared > (best?.shared ?? 0)) best = { row, shared };
  }
  return best?.row;
}

function* rowsOf(
  values: readonly Pick<FoundValue, 'path' | 'value'>[],
  level: number,
): Generator<void, Map<string, Map<number, Set<string>>>> {
  const arrays = new Map<string, Map<number, Set<string>>>();
  for (const { path, value } of values) {
    yield;
    const at = indexAt(path, level);
    if (at < 0) continue;
    const array = formatPath(path.slice(0, at));
    const rows = arrays.get(array) ?? new Map<number, Set<string>>();
    const row = Number(path[at]);
    // A value says where it stands: 1 as a quantity is not 1 as a price.
    rows.set(row, (rows.get(row) ?? new Set()).add(`${formatPath(path.slice(at + 1))} ${value}`));
    arrays.set(array, rows);
  }
  return arrays;
}
