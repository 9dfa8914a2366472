import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { formatPath, parsePath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';

/** A place that has a value, or should. */
export interface ListedField {
  readonly path: string;
  readonly isRequired: boolean;
}

/**
 * All places of a schema in its order: of arrays the rows that were found.
 * @param found the places that have values
 */
export function listFields({ root }: ExtractionSchema, found: Iterable<string>): ListedField[] {
  const rows = countRows(found);
  const listed: ListedField[] = [];
  const add = (field: SchemaField, path: ValuePath, isRequired: boolean): void => {
    if (field.kind === 'object') {
      for (const member of field.fields ?? []) add(member, [...path, member.name], isRequired && member.isRequired);
    } else if (field.kind === 'array' && field.items) {
      const count = rows.get(formatPath(path)) ?? 0;
      for (let row = 0; row < count; row += 1) add(field.items, [...path, row], true);
    } else {
      listed.push({ path: formatPath(path), isRequired });
    }
  };
  add(root, [], true);
  return listed;
}

/** How many rows each array has, by its path. */
function countRows(found: Iterable<string>): Map<string, number> {
  const rows = new Map<string, number>();
  for (const text of found) {
    const path = parsePath(text) ?? [];
    for (const [at, step] of path.entries()) {
      if (typeof step !== 'number') continue;
      const array = formatPath(path.slice(0, at));
      rows.set(array, Math.max(rows.get(array) ?? 0, step + 1));
    }
  }
  return rows;
}
