import { LEXICON } from '../rules/labels/lexicon.js';
import { toTargets } from '../rules/targets.js';
import type { Target } from '../rules/targets.js';
import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { formatPath } from '../schema/value-path.js';
import type { ValuePath } from '../schema/value-path.js';

/** Finds what a place of a schema is to be filled with. */
export class TargetFinder {
  private readonly byPath = new Map<string, Target>();

  constructor({ root }: ExtractionSchema) {
    this.add(root, '');
  }

  /** @returns undefined for what is no place of a value */
  find(path: ValuePath): Target | undefined {
    return this.byPath.get(formatPath(path).replaceAll(/\[\d+\]/g, '[]'));
  }

  /** @param prefix of all paths in it */
  private add(root: SchemaField, prefix: string): void {
    const { values, lists } = toTargets({ root }, LEXICON);
    for (const target of values) this.addTarget(`${prefix}${target.path}`, target);
    for (const { path, columns = [], element } of lists) {
      if (element) this.addTarget(`${prefix}${path}[]`, element);
      for (const column of columns) this.addTarget(`${prefix}${path}[].${column.path}`, column);
    }
    // The rules look for no arrays in elements of arrays; a model is asked for them.
    for (const [path, element] of elementsOf(root)) this.add(element, `${prefix}${path}[].`);
  }

  private addTarget(path: string, target: Target): void {
    if (!this.byPath.has(path)) this.byPath.set(path, target);
  }
}

/** The elements of the arrays in an object that are objects themselves, with the paths of the arrays. */
function elementsOf({ fields = [] }: SchemaField, prefix = ''): [path: string, element: SchemaField][] {
  return fields.flatMap((field): [string, SchemaField][] => {
    const path = `${prefix}${field.name}`;
    if (field.kind === 'object') return elementsOf(field, `${path}.`);
    return field.items?.kind === 'object' ? [[path, field.items]] : [];
  });
}
