import { fromBufferPromise } from 'yauzl';
import type { DocumentFormat, Replacement } from '../../../../src/translation/documents/formats/document-format.js';
import type { InlinePart, InlineText } from '../../../../src/translation/units/inline-text.js';

/** What becomes of a unit. */
export type Translate = (unit: InlineText) => InlineText;

/** A file whose texts were replaced. */
export interface Rewritten {
  readonly bytes: Buffer;
  /** In the order of the file. */
  readonly units: readonly InlineText[];
  /** How many replacements could not be put in. */
  readonly warnings: number;
}

/** Replaces the texts of a file, in this process. @param trusts whether a translation was proven */
export async function rewrite(
  format: DocumentFormat,
  file: Buffer,
  translate: Translate,
  {
    targetLanguage = 'de',
    trusts = () => true,
  }: { targetLanguage?: string; trusts?: (unit: InlineText) => boolean } = {},
): Promise<Rewritten> {
  const units: InlineText[] = [];
  let warnings = 0;
  const replace = async (unit: InlineText): Promise<Replacement> => {
    units.push(unit);
    return { text: translate(unit), isTrusted: trusts(unit) };
  };
  const edit = { targetLanguage, isWriting: true, replace, warn: () => void (warnings += 1) };
  const chunks: Uint8Array[] = [];
  for await (const chunk of format(file, edit)) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), units, warnings };
}

/** The units that are read of a file without writing it. */
export async function unitsOf(format: DocumentFormat, file: Buffer, targetLanguage = 'de'): Promise<InlineText[]> {
  const units: InlineText[] = [];
  const replace = async (unit: InlineText): Promise<undefined> => void units.push(unit);
  const edit = { targetLanguage, isWriting: false, replace, warn: () => undefined };
  for await (const _ of format(file, edit));
  return units;
}

/** The unit as it was. */
export const identity: Translate = (unit) => unit.map((part) => ({ ...part }));

/** Capitals, and marks where they were. */
export const capitals: Translate = (unit) =>
  unit.map((part) => (part.kind === 'text' ? { ...part, text: part.text.toUpperCase() } : part));

/** What lies beside one another in the opposite order, also within pairs: pairs stay nested. */
export const reversed: Translate = (unit) => {
  const groups: InlinePart[][] = [];
  for (let index = 0; index < unit.length; index += 1) {
    const part = unit[index] as InlinePart;
    if (part.kind !== 'open') groups.push([part]);
    else {
      const end = unit.findIndex((other) => other.kind === 'close' && other.mark === part.mark);
      groups.push([part, ...reversed(unit.slice(index + 1, end)), unit[end] as InlinePart]);
      index = end;
    }
  }
  return groups.toReversed().flat();
};

/** `Hello <1>world</1><2/>`. */
export function shown(unit: InlineText): string {
  const tags = {
    open: (mark: number) => `<${mark}>`,
    close: (mark: number) => `</${mark}>`,
    single: (mark: number) => `<${mark}/>`,
  };
  return unit.map((part) => (part.kind === 'text' ? part.text : tags[part.kind](part.mark))).join('');
}

/** The unpacked entries of a zip file, in their order. */
export async function entriesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    entries.set(entry.fileName, Buffer.concat(chunks));
  }
  return entries;
}
