import type { Splice } from '../formats/splices.js';
import type { PluralForms } from './plural-forms.js';
import { quotePo } from './po-strings.js';
import type { PoEntry } from './read-entries.js';

/** The header says which language the catalog is of, and what its plural forms are; its other lines stay. */
export function* headerSplices(
  text: string,
  { forms: [field] }: PoEntry,
  targetLanguage: string,
  { count, rule }: PluralForms,
): Generator<Splice, void, undefined> {
  if (!field) return;
  const language = targetLanguage.replaceAll('-', '_');
  const old = /^Language:[ \t]*(.*)$/m.exec(field.value)?.[1]?.trim();
  const hasForms = /^Plural-Forms:[ \t]*nplurals[ \t]*=[ \t]*\d/m.test(field.value);
  const isOfTarget = old?.toLowerCase() === language.toLowerCase();
  if (isOfTarget && (hasForms || !text.includes('msgid_plural'))) return;
  let value = isOfTarget ? field.value : withLine(field.value, 'Language', language);
  // What a catalog says of its own language is trusted.
  if (text.includes('msgid_plural') && !(isOfTarget && hasForms))
    value = withLine(value, 'Plural-Forms', `nplurals=${count}; plural=${rule};`);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  yield { start: field.start, end: field.end, text: `msgstr ${quotePo(value, newline)}` };
}

function withLine(header: string, name: string, value: string): string {
  const line = new RegExp(`^${name}:.*$`, 'm');
  if (line.test(header)) return header.replace(line, () => `${name}: ${value}`);
  return `${header}${header === '' || header.endsWith('\n') ? '' : '\n'}${name}: ${value}\n`;
}
