import type { FieldValue } from '../schema/field-value.js';
import type { ExtractionSchema } from '../schema/schema.types.js';

/** One field of a document with what proves its value, as it is exported under these names. */
export interface ExportedField {
  /** `line_items[3].amount` (`schema/value-path.ts`). */
  readonly path: string;
  readonly value: FieldValue;
  /** 0 to 1. */
  readonly confidence: number | null;
  /** From 1. */
  readonly page: number | null;
  /** Words of the page. */
  readonly quote: string | null;
  /** Left, top, right, bottom of the quote: 0 to 1 from the top left corner of the page. */
  readonly bbox: readonly [number, number, number, number] | null;
  /** Whether the page has text of its own, or was recognized. */
  readonly origin: 'text' | 'ocr' | null;
  /** What has found it. */
  readonly extractor: string | null;
  readonly status: string;
  /** Why there is no value, or why it is doubtful. */
  readonly reason: string | null;
}

/** A document with what was found in it. */
export interface ExportedDocument {
  readonly id: string;
  readonly filename: string;
  readonly status: string;
  readonly pages: number | null;
  readonly fields: readonly ExportedField[];
}

/** What is exported: the results of a session. */
export interface ResultExport {
  readonly schema: ExtractionSchema;
  /** Whether nothing of it is left to be reviewed. */
  readonly isComplete: boolean;
  /** Read once, as fast as the export is taken. */
  readonly documents: AsyncIterable<ExportedDocument>;
}
