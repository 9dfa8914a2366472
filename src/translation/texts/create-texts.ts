import type { DomainParts } from '../../domain-module.js';
import type { InferencePorts } from '../../inference/domain.js';
import { TranslationCatalog } from '../catalog/translation-catalog.js';
import type { Translator } from '../engines/translator.js';
import { TextMemory } from './text-memory.js';
import { TextTranslationResolver } from './text-translation.resolver.js';
import { TextTranslator } from './text-translator.js';

/** Texts that are translated while the caller waits: `/v1/translate/text` and the languages. */
export function createTexts(
  translator: Translator,
  { models }: Pick<InferencePorts, 'models'>,
): Pick<DomainParts<object>, 'resolvers' | 'gauges'> {
  const memory = new TextMemory();
  const texts = new TextTranslator(translator, memory);
  return { resolvers: [new TextTranslationResolver(texts, new TranslationCatalog(models))], gauges: [memory.gauge] };
}
