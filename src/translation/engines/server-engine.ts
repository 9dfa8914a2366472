import type { CallOwner } from '../../access/caller.js';
import { Conflict, PlatformError } from '../../errors.js';
import type { Models, TranslationModel } from '../../inference/domain.js';
import type { LanguageTag } from '../languages/language-tag.js';
import type { MarkerNotation } from '../protection/marker-notation.js';
import { superblankNotation } from '../protection/notations/superblank-notation.js';
import { createTagNotation } from '../protection/notations/tag-notation.js';
import type { CallOrder } from './call-order.js';
import type { Engine, EngineAnswers, EngineBatch } from './engine.js';
import { matchPair } from './match-pair.js';
import type { TranslationUsage } from './translator.js';

/** Calls of one translation at once, where the server sets no bound. */
const AT_ONCE = 4;

/** What the texts of an engine look like. */
const NOTATIONS: Readonly<Record<'libretranslate' | 'apertium', MarkerNotation>> = {
  // It reads HTML, in which an empty element has an end tag.
  libretranslate: createTagNotation({ syntax: 'html' }),
  apertium: superblankNotation,
};

interface ServerEngineParts {
  readonly models: Pick<Models, 'translate'>;
  readonly caller: CallOwner;
  readonly target: LanguageTag;
  readonly order: CallOrder;
}

/** An engine that does nothing but translate: a translation server, or the programs of this machine. */
export class ServerEngine implements Engine {
  readonly notation: MarkerNotation;
  readonly keepsGlossary = false;
  readonly canRepair = false;
  readonly maxTexts: number;
  readonly maxCharacters: number;
  readonly concurrency: number;
  private used: TranslationUsage = { promptTokens: 0, completionTokens: 0 };

  constructor(
    readonly model: TranslationModel & { readonly traits: object },
    private readonly parts: ServerEngineParts,
  ) {
    const { traits, maxConcurrency = AT_ONCE } = model;
    this.notation = NOTATIONS[traits.engine];
    this.maxTexts = traits.maxTexts;
    this.maxCharacters = traits.maxCharacters;
    this.concurrency = Math.min(AT_ONCE, maxConcurrency);
  }

  get usage(): TranslationUsage {
    return this.used;
  }

  async translate({ texts, source }: EngineBatch): Promise<EngineAnswers> {
    const pair = matchPair(this.model.traits, source, this.parts.target);
    if (!pair)
      throw new Conflict('capability_not_supported', 'The model does not serve the pair of languages.', 'model');
    const plain = texts.map(({ text }) => text);
    return { answers: await this.ask(plain, pair) };
  }

  /** A server may take less at once than others do. */
  private async ask(
    texts: readonly string[],
    pair: { readonly source: string | undefined; readonly target: string },
  ): Promise<EngineAnswers['answers']> {
    const { models, caller, order } = this.parts;
    try {
      const { id: model, traits } = this.model;
      const call = { area: 'translate', model, engine: traits.engine, texts, ...pair } as const;
      const { translations, usage } = await order.run((context) => models.translate(caller, { ...call, context }));
      this.used = {
        promptTokens: this.used.promptTokens + usage.promptTokens,
        completionTokens: this.used.completionTokens + usage.completionTokens,
      };
      return translations;
    } catch (error) {
      if (texts.length < 2 || !isTooMuch(error)) throw error;
      const middle = Math.ceil(texts.length / 2);
      return [...(await this.ask(texts.slice(0, middle), pair)), ...(await this.ask(texts.slice(middle), pair))];
    }
  }
}

function isTooMuch(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  return error.status === 413 || (error.status === 400 && /limit|exceed/i.test(error.message));
}
