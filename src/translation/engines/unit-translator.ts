import type { CallOwner } from '../../access/caller.js';
import type { CallContext, Models } from '../../inference/domain.js';
import { isSameLanguage } from '../languages/language-tag.js';
import type { InlineText } from '../units/inline-text.js';
import { SchemaRefusals } from './chat-engine.js';
import { chooseModel, tagsOf } from './choose-model.js';
import { TranslationRun } from './translation-run.js';
import type { Translation, TranslationOptions, Translator, UnitListener } from './translator.js';

/** Translates units by the engines that are models of inference. Nothing of them is stored. */
export class UnitTranslator implements Translator {
  private readonly refusals = new SchemaRefusals();

  constructor(
    private readonly models: Pick<Models, 'check' | 'complete' | 'transformOf' | 'translate' | 'translationModels'>,
  ) {}

  async check(caller: CallOwner, options: TranslationOptions): Promise<void> {
    const { source, target } = tagsOf(options);
    // Texts of the target language come back as they are.
    if (source && isSameLanguage(source, target)) return;
    await chooseModel(this.models, caller, { ...options, sources: source ? [source] : [], target }, {});
  }

  async translateUnits(
    caller: CallOwner,
    units: readonly InlineText[],
    options: TranslationOptions,
    context: CallContext,
    onUnit?: UnitListener,
  ): Promise<Translation> {
    const { signal } = context;
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const { models, refusals } = this;
    const own = { ...context, signal: ending.signal };
    try {
      return await new TranslationRun({ models, refusals, caller, options, context: own, onUnit }).translate(units);
    } finally {
      signal.removeEventListener('abort', abort);
      // One call has failed, or nobody waits: the others end.
      ending.abort(new Error('The translation is over.'));
    }
  }
}
