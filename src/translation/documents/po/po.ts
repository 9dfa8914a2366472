import { withContext } from '../../units/unit-context.js';
import type { DocumentEdit, Replacement } from '../formats/document-format.js';
import { fromLinedText, hasLetters, toLinedText } from '../formats/inline-parts.js';
import type { Splice } from '../formats/splices.js';
import { textFormat } from '../formats/splices.js';
import { headerSplices } from './po-header.js';
import { quotePo } from './po-strings.js';
import { readEntries } from './read-entries.js';
import type { PoEntry, PoField } from './read-entries.js';
import { pluralForms } from './plural-forms.js';

const FLAGS = /^#,.*$/m;

/**
 * Catalogs of gettext. Each entry is translated from its msgid, unless it is translated already, not fuzzily, and the
 * catalog is of the target language. What a person should look at is fuzzy: what was not proven, and plural forms that
 * the source does not have.
 */
export const po = textFormat(async function* readPo(text, edit) {
  const entries = readEntries(text);
  const header = entries.find(({ id, context }) => id.value === '' && context === undefined);
  const language = /^Language:[ \t]*(\S+)/m.exec(header?.forms[0]?.value ?? '')?.[1];
  const isOfTarget = language !== undefined && isSame(language, edit.targetLanguage);
  const declared = /^Plural-Forms:[ \t]*nplurals[ \t]*=[ \t]*([1-9])/m.exec(header?.forms[0]?.value ?? '')?.[1];
  const forms = pluralForms(edit.targetLanguage);
  const count = isOfTarget && declared !== undefined ? Number(declared) : forms.count;
  for (const entry of entries) {
    if (entry === header) yield* headerSplices(text, entry, edit.targetLanguage, forms);
    else if (!(isOfTarget && isTranslated(entry))) yield* entrySplices(text, entry, edit, count);
  }
});

function isSame(language: string, target: string): boolean {
  return language.replaceAll('_', '-').toLowerCase() === target.toLowerCase();
}

function isTranslated({ forms, isFuzzy }: PoEntry): boolean {
  return !isFuzzy && forms.length > 0 && forms.every(({ value }) => value !== '');
}

async function* entrySplices(
  text: string,
  entry: PoEntry,
  edit: DocumentEdit,
  count: number,
): AsyncGenerator<Splice, void, undefined> {
  const singular = await translate(entry.id, entry, edit);
  const plural = entry.plural && (await translate(entry.plural, entry, edit));
  if (!edit.isWriting || !singular) return;
  const forms = plural ? toForms(singular, plural, count) : [singular.text];
  // A language with more forms than the source has them from the plural, unproven.
  const isTrusted = singular.isTrusted && (!plural || (plural.isTrusted && count <= 2));
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const written = forms.map((form, index) => `msgstr${plural ? `[${index}]` : ''} ${quotePo(form, newline)}`);
  const [first, last] = [entry.forms[0], entry.forms.at(-1)];
  if (!first || !last) return;
  const isSame =
    forms.length === entry.forms.length && forms.every((form, index) => form === entry.forms[index]?.value);
  const flags = isTrusted === !entry.isFuzzy ? undefined : flagSplice(text, entry, !isTrusted, newline);
  if (flags) yield flags;
  if (!isSame) yield { start: first.start, end: last.end, text: written.join(newline) };
}

interface TranslatedField {
  readonly text: string;
  readonly isTrusted: boolean;
}

async function translate(
  { value }: PoField,
  { context }: PoEntry,
  edit: DocumentEdit,
): Promise<TranslatedField | undefined> {
  if (!hasLetters(value)) return { text: value, isTrusted: true };
  const lined = toLinedText(value);
  const replacement: Replacement | undefined = await edit.replace(withContext(lined.unit, context));
  return replacement && { text: fromLinedText(replacement.text, lined), isTrusted: replacement.isTrusted };
}

function toForms({ text: one }: TranslatedField, { text: many }: TranslatedField, count: number): string[] {
  return Array.from({ length: count }, (_, form) => (form === 0 && count > 1 ? one : many));
}

/** Adds or takes the flag `fuzzy`; others stay. What a fuzzy entry was made from is no use once it is not fuzzy. */
function flagSplice(text: string, entry: PoEntry, isFuzzy: boolean, newline: string): Splice {
  const comments = text.slice(entry.start, entry.keywords);
  const flags = FLAGS.exec(comments);
  const start = entry.start + (flags?.index ?? comments.length);
  if (isFuzzy)
    return flags
      ? { start: start + 2, end: start + 2, text: ' fuzzy,' }
      : { start, end: start, text: `#, fuzzy${newline}` };
  const rest = (flags?.[0] ?? '')
    .replace(/^#,|\r$/g, '')
    .split(',')
    .filter((flag) => flag.trim() !== 'fuzzy');
  if (!flags) return { start, end: start, text: '' };
  const end = start + flags[0].length;
  if (rest.length > 0) return { start, end, text: `#,${rest.join(',')}` };
  const gap = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  return { start, end: end + gap, text: '' };
}
