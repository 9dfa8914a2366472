import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { unquotePo } from './po-strings.js';

/** A keyword with its strings. */
export interface PoField {
  readonly value: string;
  /** From the keyword to the last quote. */
  readonly start: number;
  readonly end: number;
}

/** A message and its translation. Obsolete ones (`#~`) are comments here. */
export interface PoEntry {
  /** Where its comments begin, and where its keywords do. */
  readonly start: number;
  readonly keywords: number;
  /** `msgctxt`: what tells it from others of the same text. */
  readonly context: string | undefined;
  readonly id: PoField;
  readonly plural: PoField | undefined;
  /** `msgstr`, or each `msgstr[n]`. */
  readonly forms: readonly PoField[];
  readonly isFuzzy: boolean;
}

const STRING = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const FIELD = new RegExp(`(msgctxt|msgid_plural|msgid|msgstr(?:\\[\\d+\\])?)[ \\t]*(${STRING}(?:\\s*${STRING})*)`, 'y');
const COMMENTS = /(?:#[^\r\n]*(?:\r\n|\r|\n|$)|\s+)+/y;

/** The entries of a catalog of gettext (PO Files, in its manual). @throws ExtractionFailed malformed */
export function readEntries(text: string): PoEntry[] {
  const entries: PoEntry[] = [];
  let place = 0;
  while (place < text.length) {
    COMMENTS.lastIndex = place;
    const comments = COMMENTS.exec(text)?.[0] ?? '';
    const keywords = place + comments.length;
    if (keywords === text.length) break;
    // Comments of an entry follow its predecessor's blank line.
    const blank = [...comments.matchAll(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/g)].at(-1);
    const start = blank ? place + blank.index + blank[0].length : place;
    const { fields, end } = readFields(text, keywords);
    const isFuzzy = /^#,(?:.*,)?[ \t]*fuzzy[ \t]*(?:,|\r?$)/m.test(text.slice(start, keywords));
    entries.push(toEntry(fields, { start, keywords, isFuzzy }));
    place = end;
  }
  return entries;
}

type NamedField = PoField & { readonly name: string };

/** The fields of one entry, which ends behind its last `msgstr`. */
function readFields(text: string, start: number): { fields: NamedField[]; end: number } {
  const fields: NamedField[] = [];
  let [end, next] = [start, start];
  for (;;) {
    FIELD.lastIndex = next;
    const found = FIELD.exec(text);
    const name = found?.[1] ?? '';
    const hasForms = fields.some((field) => field.name.startsWith('msgstr'));
    if (!found || (hasForms && !name.startsWith('msgstr'))) break;
    end = next + found[0].length;
    fields.push({ name, value: unquotePo(found[2] ?? ''), start: next, end });
    next = end + (/^\s*/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0);
  }
  if (fields.length === 0) throw new ExtractionFailed('malformed');
  return { fields, end };
}

function toEntry(fields: readonly NamedField[], place: Pick<PoEntry, 'start' | 'keywords' | 'isFuzzy'>): PoEntry {
  const id = fields.find(({ name }) => name === 'msgid');
  const forms = fields.filter(({ name }) => name.startsWith('msgstr'));
  if (!id || forms.length === 0) throw new ExtractionFailed('malformed');
  const valueOf = (wanted: string) => fields.find(({ name }) => name === wanted);
  return { ...place, context: valueOf('msgctxt')?.value, id, plural: valueOf('msgid_plural'), forms };
}
