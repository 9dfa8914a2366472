import type { DocumentKind } from '../formats/document-format.js';
import type { InlineText } from '../../units/inline-text.js';

/** The task of the child. Its input is the file and, where that is written anew, a line of JSON for each unit behind it. */
export interface RewritingTask {
  readonly kind: DocumentKind;
  readonly sizeBytes: number;
  /** BCP 47. */
  readonly targetLanguage: string;
  readonly isWriting: boolean;
}

/** What stands in the place of a unit: nothing, where it stays as it is. */
export type ReplacementLine = readonly [] | readonly [text: InlineText, isTrusted: boolean];

/** What the child answers: units as they come, or bytes in base64, and how many replacements could not be put in. */
export interface RewritingAnswer {
  readonly units?: readonly InlineText[];
  readonly bytes?: string;
  readonly warnings?: number;
}
