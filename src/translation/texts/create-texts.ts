import type { DomainParts } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import { TranslationCatalog } from '../catalog/translation-catalog.js';
import type { Translator } from '../engines/translator.js';
import { TextTranslationResolver } from './text-translation.resolver.js';
import { TextTranslator } from './text-translator.js';

/** Texts that are translated while the caller waits: `/v1/translate/text` and the languages. */
export function createTexts(
  translator: Translator,
  { models }: Pick<InferencePorts, 'models'>,
): Pick<DomainParts<object>, 'resolvers'> {
  return { resolvers: [new TextTranslationResolver(new TextTranslator(translator), new TranslationCatalog(models))] };
}
