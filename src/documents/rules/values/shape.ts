import { toLabelTokens } from '../labels/label-tokens.js';
import type { Target } from '../targets.js';

/** How values of a field look, which tells where they begin and end. */
export type Shape =
  | 'date'
  | 'number'
  | 'boolean'
  | 'option'
  | 'iban'
  | 'vatId'
  | 'currency'
  | 'email'
  | 'code'
  | 'text';

const CODE_WORDS = new Set([
  '#',
  'id',
  'code',
  'reference',
  'ref',
  'iban',
  'bic',
  'sku',
  'serial',
  'zip',
  'phone',
  'po',
]);
const CODE_CONCEPTS = new Set([
  'invoiceNumber',
  'orderNumber',
  'customerNumber',
  'contractNumber',
  'articleNumber',
  'position',
]);

/** The shape of a field's values, by its kind and options, what it is about, and the words of its name. */
export function shapeOf({ field, concept, names, labels }: Target): Shape {
  if (field.options) return 'option';
  if (field.kind === 'date' || field.kind === 'boolean') return field.kind;
  if (field.kind === 'number' || field.kind === 'integer') return 'number';
  if (concept === 'iban' || concept === 'currency') return concept;
  if (concept === 'supplierVatId' || concept === 'customerVatId') return 'vatId';
  const words = new Set([...names, ...labels.slice(0, 4)].flatMap((name) => toLabelTokens(name).map(({ key }) => key)));
  if (words.has('email') || words.has('mail')) return 'email';
  if (concept !== undefined) return CODE_CONCEPTS.has(concept) ? 'code' : 'text';
  return [...words].some((word) => CODE_WORDS.has(word)) ? 'code' : 'text';
}
