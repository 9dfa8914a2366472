/**
 * A part of an inline text: characters, or one side of a mark. `open` and `close` with the same number hold what lies
 * between them, such as a bold word; `single` stands for something without text, such as a line break or a picture.
 * Numbers are from 1, and each mark of a text has its own.
 */
export type InlinePart =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Of the first text of a unit: what is said about the unit for whoever translates it, and no part of it. */
      readonly context?: string;
    }
  | {
      readonly kind: 'open' | 'close' | 'single';
      readonly mark: number;
      /**
       * Of a single mark: what is read in its place. '' where what stands on both sides reads as one, as around a comment;
       * default: a line break, which keeps them apart.
       */
      readonly reads?: string;
      /** Of a single mark: what stands on both sides is translated by itself, as around a tag without its partner. */
      readonly isBarrier?: boolean;
    };

/** Whether a mark reads as a character of a word, such as a hyphen: it may be missing where that character was replaced. */
export function isCharacter({ reads = '' }: { readonly reads?: string | undefined }): boolean {
  return reads !== '';
}

/** What is translated as a whole: a paragraph, a cell, a heading. Its marks come back, each once and paired as they were. */
export type InlineText = readonly InlinePart[];
