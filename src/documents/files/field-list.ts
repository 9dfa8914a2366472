import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { formatPath, parsePath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';

/** A place that has a value, or should. */
export interface ListedField {
  readonly path: string;
  readonly isRequired: boolean;
}

/**
 * All places of a schema in its order, in small steps: of arrays the rows that were found.
 * @param found the places that have values
 * @param most so many are listed at most
 */
export function* listFields(
  { root }: ExtractionSchema,
  found: Iterable<string>,
  most: number,
): Generator<void, ListedField[]> {
  const rows = yield* countRows(found);
  const listed: ListedField[] = [];
  const add = function* (field: SchemaField, path: ValuePath, isRequired: boolean): Generator<void, void> {
    if (listed.length >= most) return;
    if (field.kind === 'object') {
      for (const member of field.fields ?? []) {
        yield* add(member, [...path, member.name], isRequired && member.isRequired);
      }
    } else if (field.kind === 'array' && field.items) {
      const count = rows.get(formatPath(path)) ?? 0;
      for (let row = 0; row < count && listed.length < most; row += 1) yield* add(field.items, [...path, row], true);
    } else {
      listed.push({ path: formatPath(path), isRequired });
      yield;
    }
  };
  yield* add(root, [], true);
  return listed;
}

/** How many rows each array has, by its path. */
function* countRows(found: Iterable<string>): Generator<void, Map<string, number>> {
  const rows = new Map<string, number>();
  for (const text of found) {
    yield;
    const path = parsePath(text) ?? [];
    for (const [at, step] of path.entries()) {
      if (typeof step !== 'number') continue;
      const array = formatPath(path.slice(0, at));
      rows.set(array, Math.max(rows.get(array) ?? 0, step + 1));
    }
  }
  return rows;
}
