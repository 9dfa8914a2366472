import { BadUpstream, Unavailable } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { retryable } from '../backends/routing/attempt-failure.js';
import type { CallSizing, Exchange, ExchangeType, Upstream } from '../calls/model-call.js';
import { countTokens } from '../calls/tokenizer.js';
import type { EngineTranslation, TranslationTraits } from './engine.types.js';
import type { TranslateCall } from './translation.types.js';

/** How much longer than its text a translation may be, and what the shortest may have. */
const GROWTH = 8;
const LEAST_CHARACTERS = 400;

/** Calls of a translation engine. */
export function translationOf(call: TranslateCall): ExchangeType<Exchange> {
  return { operation: 'translate', create: (request) => new TranslationExchange(request, call) };
}

/** The call as it is recorded. Its texts are as the transforms of the whole translation have them already. */
export function translationRequest({ model, texts, source, target }: TranslateCall): JsonObject {
  return { model, texts, target, ...(source !== undefined && { source }) };
}

/** The texts of an answer that was checked by the exchange. */
export function toEngineTranslations(answer: JsonObject): readonly EngineTranslation[] {
  return answer.translations as readonly EngineTranslation[];
}

class TranslationExchange implements Exchange {
  readonly sizing: CallSizing;

  constructor(
    readonly request: JsonObject,
    private readonly call: TranslateCall,
  ) {
    // A translation has no more tokens than its text has bytes, but for what no language does.
    const bytes = call.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.sizing = { longestAnswer: 64 + bytes };
  }

  async ask(_body: JsonObject, upstream: Upstream): Promise<JsonObject> {
    const { texts, source, target } = this.call;
    const message = 'No server of this model that serves the languages answers at the moment. Please try again.';
    const unserved = retryable(new Unavailable(message, 2), 'refused');
    let failure: unknown;
    try {
      return await upstream.run(async ({ backend, model }, options) => {
        const { translation: traits } = model;
        if (!traits || !serves(traits, this.call)) throw unserved;
        try {
          const request = { model: model.upstream, traits, texts, source, target };
          return { translations: checked(await backend.translate(request, options), texts) };
        } catch (error) {
          failure = error;
          throw error;
        }
      });
    } catch (error) {
      // Instances that do not serve the call tell nothing of why those that do have failed.
      throw error === unserved ? (failure ?? error) : error;
    }
  }

  /** Engines tell no tokens. */
  reportedUsage(): null {
    return null;
  }

  async estimate(answer: JsonObject): Promise<MeteredUsage> {
    const translations = (answer.translations ?? []) as readonly EngineTranslation[];
    return {
      promptTokens: await countTokens(this.call.texts),
      completionTokens: await countTokens(translations.map(({ text }) => text)),
      precision: 'estimated',
    };
  }

  /** The texts are changed by whoever puts them together: what an engine sees are pieces. */
  async transformAnswer(): Promise<void> {}

  finish(answer: JsonObject, _callId: string, usage: MeteredUsage): JsonObject {
    return { ...answer, usage };
  }
}

/** Whether an instance of the model may be asked: others of its name may be of another kind, or serve other languages. */
function serves({ engine, pairs, detects }: TranslationTraits, call: TranslateCall): boolean {
  const { source, target } = call;
  return engine === call.engine && (source !== undefined || detects) && pairs.has(source, target);
}

/** One translation for each text. @throws BadUpstream */
function checked(answered: readonly EngineTranslation[], texts: readonly string[]): readonly EngineTranslation[] {
  const isWhole = answered.length === texts.length;
  const isBounded = answered.every(
    ({ text }, index) => text.length <= LEAST_CHARACTERS + GROWTH * (texts[index]?.length ?? 0),
  );
  if (isWhole && isBounded) return answered;
  throw retryable(new BadUpstream('The translation engine did not answer one translation for each text.'), 'doubtful');
}
