import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { InferencePorts } from '../inference/domain.js';
import { translationConfig } from './config.js';
import type { TranslationConfig } from './config.js';
import { createDocuments } from './documents/jobs/create-documents.js';
import type { DocumentNeeds } from './documents/jobs/create-documents.js';
import { DocumentTranslation } from './documents/jobs/document-translation.entity.js';
import { TranslationBatch } from './documents/jobs/translation-batch.entity.js';
import { sealedBatches } from './documents/jobs/translation-batches.js';
import { UnitTranslator } from './engines/unit-translator.js';
import { DocumentTranslations1795648816000 } from './migrations/1795648816000-document-translations.js';
import { createTexts } from './texts/create-texts.js';

/** The ports of earlier domains that translation uses. */
type TranslationNeeds = InferencePorts & DocumentNeeds;

/** Texts in other languages. */
export const translation: DomainModule<typeof translationConfig, TranslationNeeds, object> = {
  name: 'translation',
  config: translationConfig,
  entities: [DocumentTranslation, TranslationBatch],
  migrations: [DocumentTranslations1795648816000],
  sealed: [sealedBatches],
  create: createTranslation,
};

async function createTranslation(host: Host<TranslationConfig>, ports: TranslationNeeds): Promise<DomainParts<object>> {
  const translator = new UnitTranslator(ports.models);
  const texts = createTexts(translator, ports);
  const documents = createDocuments(translator, host, ports);
  return {
    ...documents,
    references: [],
    resolvers: [...texts.resolvers, ...documents.resolvers],
    gauges: [...(texts.gauges ?? []), ...(documents.gauges ?? [])],
    ports: {},
  };
}
