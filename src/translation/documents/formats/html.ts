import { readHtmlUnits } from '../../html/read-html-units.js';
import type { InlineText } from '../../units/inline-text.js';
import { hasSameMarks, isSameInlineText } from '../../units/same-marks.js';
import type { DocumentFormat } from './document-format.js';
import { decodeTextFile } from './text-file.js';

/** Web pages; characters that their charset does not have become references. */
export const html: DocumentFormat = async function* rewriteHtml(file, edit) {
  const { text, encode } = decodeTextFile(file, 'reference');
  const page = readHtmlUnits(text);
  const translations = new Map<number, InlineText>();
  for (const { id, inline } of page.units) {
    const replacement = await edit.replace(inline);
    if (!replacement || isSameInlineText(replacement.text, inline)) continue;
    if (hasSameMarks(inline, replacement.text)) translations.set(id, replacement.text);
    else edit.warn();
  }
  if (edit.isWriting) yield encode(page.write(translations));
};
