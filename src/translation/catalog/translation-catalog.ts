import type { Caller } from '../../access/caller.js';
import type { Models } from '../../inference/domain.js';
import type { TranslationEngineLanguages } from './translation-engine-languages.types.js';

/** What chat models are asked for: they do not say which languages they know. */
const ANY = [{ source: '*', target: '*' }];

/** Tells what translates, and from which languages into which. */
export class TranslationCatalog {
  constructor(private readonly models: Pick<Models, 'translationModels'>) {}

  /** Those that the caller's tenant may use, in the order in which they are asked where no model is named. */
  async list(caller: Caller): Promise<TranslationEngineLanguages[]> {
    const models = await this.models.translationModels(caller);
    return models.map(({ id, engine, traits }) => ({
      engine,
      model: id,
      pairs: traits ? [...traits.pairs] : ANY,
      formality: engine === 'chat',
      // Terms are kept for engines that have no glossary, and so is markup.
      glossary: true,
      html: true,
      context: engine === 'chat',
    }));
  }
}
