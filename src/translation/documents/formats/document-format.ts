import type { InlineText } from '../../units/inline-text.js';

/** The formats whose texts are replaced, the rest of the file being left as it is. */
export type DocumentKind =
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'html'
  | 'markdown'
  | 'text'
  | 'srt'
  | 'vtt'
  | 'json'
  | 'po'
  | 'xliff'
  | 'android'
  | 'strings'
  | 'arb'
  | 'properties';

/** What stands in the place of a unit. */
export interface Replacement {
  readonly text: InlineText;
  /** False: it is the source, or was not proven to be a translation of it, and a person should look at it. */
  readonly isTrusted: boolean;
}

/** How the units of one file are replaced. */
export interface DocumentEdit {
  /** BCP 47. */
  readonly targetLanguage: string;
  /** False: nothing is replaced, and the bytes that are written are not used. */
  readonly isWriting: boolean;
  /** Called once for each unit, in the order of the file, which is the same each time. Undefined: it stays as it is. */
  replace(unit: InlineText): Promise<Replacement | undefined>;
  /** A replacement could not be put into the file, and the source was left there. */
  warn(): void;
}

/**
 * Reads a file of one format, and gives its bytes anew.
 * @throws ExtractionFailed where the file is not of the format, or is built to exhaust whoever reads it
 */
export type DocumentFormat = (file: Buffer, edit: DocumentEdit) => AsyncIterable<Uint8Array>;
