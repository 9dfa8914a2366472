import type { DocumentEdit, DocumentFormat } from './document-format.js';
import { isSameInlineText } from '../../units/same-marks.js';
import { decodeTextFile } from './text-file.js';
import type { InlineText } from '../../units/inline-text.js';

/** What is written in the place of a stretch of a text. */
export interface Splice {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads a text, and tells what is written anew, in the order of the text. @param charset of the file, a name of WHATWG */
export type SpliceReader = (text: string, edit: DocumentEdit, charset: string) => AsyncIterable<Splice>;

/** A format that is a text: all characters that no splice replaces stay as they are. */
export function textFormat(read: SpliceReader): DocumentFormat {
  return async function* rewriteText(file, edit) {
    const { text, charset, encode } = decodeTextFile(file, 'utf-8');
    const pieces: string[] = [];
    let end = 0;
    for await (const splice of read(text, edit, charset)) {
      pieces.push(text.slice(end, splice.start), splice.text);
      end = splice.end;
    }
    pieces.push(text.slice(end));
    if (edit.isWriting) yield encode(pieces.join(''));
  };
}

/** A stretch of a text that is a unit. */
export interface TextUnit {
  readonly start: number;
  readonly end: number;
  readonly unit: InlineText;
  /** What its translation is in the file; undefined where that would not be read as what it is. */
  write(translation: InlineText): string | undefined;
}

/** Has a unit replaced; undefined: it stays as it is. */
export async function replaceUnit(
  { start, end, unit, write }: TextUnit,
  edit: DocumentEdit,
): Promise<Splice | undefined> {
  const replacement = await edit.replace(unit);
  if (!replacement || isSameInlineText(replacement.text, unit)) return undefined;
  const text = write(replacement.text);
  if (text === undefined) edit.warn();
  return text === undefined ? undefined : { start, end, text };
}
