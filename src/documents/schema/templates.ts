import type { JsonObject } from '../../platform/json/json-object.js';
import { CONTRACT } from './templates/contract.js';
import { GENERIC } from './templates/generic.js';
import { INVOICE } from './templates/invoice.js';
import { parseSchema } from './schema-parser.js';
import type { ExtractionSchema } from './schema.types.js';

/** Schemas that are ready for common documents, as JSON Schema. */
export const TEMPLATES = { invoice: INVOICE, contract: CONTRACT, generic: GENERIC } as const satisfies Record<
  string,
  JsonObject
>;
/** The name of one. */
export type TemplateName = keyof typeof TEMPLATES;

const parsed: Readonly<Record<TemplateName, ExtractionSchema>> = {
  invoice: parseSchema(INVOICE),
  contract: parseSchema(CONTRACT),
  generic: parseSchema(GENERIC),
};

/** The fields of a template. */
export function templateSchema(name: TemplateName): ExtractionSchema {
  return parsed[name];
}
