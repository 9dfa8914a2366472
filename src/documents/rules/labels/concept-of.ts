import type { SchemaField } from '../../schema/schema.types.js';
import { toLabelTokens } from './label-tokens.js';
import type { Concept, Lexicon } from './lexicon.js';

/** Concepts that only rows of tables have, and those that they may have with the rest. */
const ROW_CONCEPTS: ReadonlySet<Concept> = new Set([
  'description',
  'quantity',
  'unit',
  'unitPrice',
  'lineAmount',
  'position',
  'articleNumber',
]);
const SHARED_CONCEPTS: ReadonlySet<Concept> = new Set(['taxRate', 'taxAmount', 'serviceDate']);

/** The kinds of fields that a concept may have, where not all may. */
const DATES: ReadonlySet<Concept> = new Set([
  'invoiceDate',
  'dueDate',
  'serviceDate',
  'effectiveDate',
  'endDate',
  'signatureDate',
]);
const AMOUNTS: ReadonlySet<Concept> = new Set([
  'totalAmount',
  'netAmount',
  'taxAmount',
  'taxRate',
  'quantity',
  'unitPrice',
  'lineAmount',
  'contractValue',
  'term',
  'noticePeriod',
  'position',
]);

/** Tells what a field of a schema is about, by its name with those of the objects around it, then by its labels. */
export class ConceptFinder {
  private readonly byName = new Map<string, Concept[]>();
  private readonly byLabel = new Map<string, Concept[]>();

  constructor(lexicon: Lexicon) {
    for (const [concept, { names, labels }] of Object.entries(lexicon) as [Concept, Lexicon[Concept]][]) {
      for (const name of names) add(this.byName, keyOf(name), concept);
      for (const label of Object.values(labels).flat()) add(this.byLabel, keyOf(label), concept);
    }
  }

  /**
   * @param parents names of the objects around the field, the outermost first
   * @param isRow whether it is a field of what an array holds
   * @returns undefined where it is about none that is known
   */
  find(field: SchemaField, parents: readonly string[], isRow: boolean): Concept | undefined {
    const own = wordsOfName(field.name);
    const names = [...parents.map((_, index) => [...parents.slice(index).map(wordsOfName), own].join(' ')), own];
    const byNames = names.flatMap((name) => this.byName.get(keyOf(name)) ?? []);
    const byLabels = field.labels.flatMap((label) => this.byLabel.get(keyOf(label)) ?? []);
    return [...byNames, ...byLabels].find((concept) => isRowConcept(concept, isRow) && holds(concept, field));
  }
}

/** A name as words: `invoiceNo_2` is `invoice no 2`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

function keyOf(words: string): string {
  return toLabelTokens(words)
    .map(({ key }) => key)
    .join(' ');
}

function add(map: Map<string, Concept[]>, key: string, concept: Concept): void {
  const concepts = map.get(key) ?? [];
  if (!concepts.includes(concept)) map.set(key, [...concepts, concept]);
}

/** Whether fields of elements of arrays may be about a concept, or those that stand alone. */
export function isRowConcept(concept: Concept, isRow: boolean): boolean {
  return SHARED_CONCEPTS.has(concept) || ROW_CONCEPTS.has(concept) === isRow;
}

function holds(concept: Concept, { kind }: SchemaField): boolean {
  if (kind === 'object' || kind === 'array' || kind === 'boolean') return false;
  if (kind === 'date') return DATES.has(concept);
  if (kind === 'number' || kind === 'integer') return AMOUNTS.has(concept);
  return true;
}
