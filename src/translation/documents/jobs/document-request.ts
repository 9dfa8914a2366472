import { BadRequest } from '../../../errors.js';
import type { Formality, TranslationOptions } from '../../engines/translator.js';
import { parseLanguageTag } from '../../languages/language-tag.js';

/** The texts that may come beside a document. */
export const DOCUMENT_FIELDS = ['target_language', 'source_language', 'model', 'formality'] as const;

/** What is wanted of a document. */
export interface DocumentRequest {
  readonly targetLanguage: string;
  readonly sourceLanguage: string | null;
  readonly model: string | null;
  readonly formality: Formality;
}

const FORMALITIES: readonly string[] = ['default', 'more', 'less'] satisfies readonly Formality[];
const MODEL_CHARACTERS = 200;

/** @throws BadRequest that names the field */
export function parseDocumentRequest(fields: ReadonlyMap<string, string>): DocumentRequest {
  const target = fields.get('target_language');
  if (target === undefined || target === '') throw new BadRequest('Give the target language.', 'target_language');
  const source = fields.get('source_language');
  const formality = fields.get('formality') ?? 'default';
  if (!FORMALITIES.includes(formality)) throw new BadRequest('It is default, more or less.', 'formality');
  const model = fields.get('model') ?? null;
  if (model !== null && (model === '' || model.length > MODEL_CHARACTERS))
    throw new BadRequest(`It has 1 to ${MODEL_CHARACTERS} characters.`, 'model');
  return {
    targetLanguage: parseLanguageTag(target, 'target_language').tag,
    sourceLanguage: source === undefined ? null : parseLanguageTag(source, 'source_language').tag,
    model,
    formality: formality as Formality,
  };
}

/** What is wanted of a document, as a translator is told. */
export function optionsOf({ sourceLanguage, targetLanguage, model, formality }: DocumentRequest): TranslationOptions {
  return { target: targetLanguage, formality, source: sourceLanguage ?? undefined, model: model ?? undefined };
}
