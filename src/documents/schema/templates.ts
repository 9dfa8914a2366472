import type { JsonObject } from '../../platform/json/json-object.js';
import { TEMPLATE as contract } from './templates/contract.js';
import { TEMPLATE as generic } from './templates/generic.js';
import { TEMPLATE as invoice } from './templates/invoice.js';

/** Schemas that are ready for common documents, as JSON Schema. */
export const TEMPLATES = { invoice, contract, generic } as const satisfies Record<string, JsonObject>;
