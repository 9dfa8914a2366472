import type { JsonObject } from '../../platform/json/json-object.js';
import { CONTRACT_TEMPLATE } from './templates/contract.js';
import { GENERIC_TEMPLATE } from './templates/generic.js';
import { INVOICE_TEMPLATE } from './templates/invoice.js';

/** Schemas that are ready for common documents, as JSON Schema. */
export const TEMPLATES = {
  invoice: INVOICE_TEMPLATE,
  contract: CONTRACT_TEMPLATE,
  generic: GENERIC_TEMPLATE,
} as const satisfies Record<string, JsonObject>;
