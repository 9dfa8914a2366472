import type { ExtractionSchema } from '../../../../src/documents/schema/schema.types.js';
import type { Box } from '../../../../src/documents/layout/layout.types.js';

/** The languages of the documents. */
export type Language = 'en' | 'de' | 'fr' | 'es';

/** A value that a document has, and where. */
export interface TrueValue {
  readonly value: string | number | boolean;
  /** From 1; undefined: it was not recorded. */
  readonly page?: number;
  readonly box?: Box;
}

/** A document with all that is right about it. */
export interface SetDocument {
  readonly id: string;
  readonly kind: 'invoice' | 'contract' | 'form';
  readonly language: Language;
  /** Of an invoice: which of the twelve; of the others the name of their template. */
  readonly layout: string;
  /** Why rules and weights have not seen its like; empty: they have. */
  readonly heldOut: readonly ('layout' | 'labels' | 'language' | 'template')[];
  readonly schema: ExtractionSchema;
  readonly pdf: Buffer;
  /** By path; a path that is not there is null. */
  readonly truth: ReadonlyMap<string, TrueValue>;
}
