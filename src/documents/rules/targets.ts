import type { ExtractionSchema, SchemaField } from '../schema/schema.types.js';
import { ConceptFinder, wordsOfName } from './labels/concept-of.js';
import type { Concept, Lexicon } from './labels/lexicon.js';

/** A field that holds one value. */
export interface Target {
  /** From the root, or from the element of its array: `supplier.name`. */
  readonly path: string;
  readonly field: SchemaField;
  readonly concept: Concept | undefined;
  /** Its own words: title and labels, then its name, also behind those of the objects around it. */
  readonly labels: readonly string[];
  readonly names: readonly string[];
}

/** An array. */
export interface ListTarget {
  readonly path: string;
  readonly labels: readonly string[];
  /** The fields of its elements; undefined: its elements are values. */
  readonly columns?: readonly Target[];
  /** What one element is, where it is a value. */
  readonly element?: Target;
}

/** All that is to be filled. Arrays within elements of arrays are not. */
export interface Targets {
  readonly values: readonly Target[];
  readonly lists: readonly ListTarget[];
}

/** Flattens a schema. */
export function toTargets(schema: Pick<ExtractionSchema, 'root'>, lexicon: Lexicon): Targets {
  const finder = new ConceptFinder(lexicon);
  const [values, lists]: [Target[], ListTarget[]] = [[], []];
  const toTarget = (field: SchemaField, parents: readonly SchemaField[], isRow: boolean): Target => {
    const parentNames = parents.map(({ name }) => name).filter((name) => name !== '');
    const names = [field.name, ...parentNames.slice(-1).map((parent) => `${parent} ${field.name}`)].map(wordsOfName);
    return {
      path: [...parentNames, field.name].join('.'),
      field,
      concept: finder.find(field, parentNames, isRow),
      labels: field.labels,
      names: names.filter((name) => name !== ''),
    };
  };
  const visit = (field: SchemaField, parents: readonly SchemaField[], found: Target[], isRow: boolean): void => {
    if (field.kind === 'object') {
      for (const child of field.fields ?? []) visit(child, [...parents, field], found, isRow);
    } else if (field.kind !== 'array') found.push(toTarget(field, parents, isRow));
    else if (!isRow && field.items) lists.push(toList(field, parents));
  };
  const toList = (field: SchemaField, parents: readonly SchemaField[]): ListTarget => {
    const items = field.items as SchemaField;
    const path = [...parents.map(({ name }) => name).filter((name) => name !== ''), field.name].join('.');
    const labels = [...field.labels, wordsOfName(field.name)];
    if (items.kind !== 'object') return { path, labels, element: { ...toTarget(items, [], false), labels } };
    const columns: Target[] = [];
    for (const child of items.fields ?? []) visit(child, [], columns, true);
    return { path, labels, columns };
  };
  for (const field of schema.root.fields ?? []) visit(field, [], values, false);
  return { values, lists };
}
