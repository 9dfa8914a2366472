/** A piece of what an engine reads or writes: characters, or a marker with its number. */
export type MarkedToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' | 'close' | 'single'; readonly number: number };

/**
 * How markers are written for an engine, so that they pass through it. A notation says how its engine's text is escaped,
 * and reads its markers as tolerantly as it can: with spaces, other brackets or other quotes in them.
 */
export interface MarkerNotation {
  /** A sentence that tells a model what the markers are and that each is kept; undefined where engines need none. */
  readonly instruction?: string;
  /** Writes a marker; numbers are from 1. */
  write(kind: 'open' | 'close' | 'single', number: number): string;
  /** Writes characters that are no marker. */
  escape(text: string): string;
  /** Reads an answer. A marker of a notation without numbers at its end gets that of the pair that is open. */
  read(answer: string): MarkedToken[];
  /** Finds what of a text would be read as a marker, so that it is protected itself; undefined where `escape` is enough. */
  readonly lookalikes?: RegExp;
}
