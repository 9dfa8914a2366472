import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOwner } from '../../src/access/caller.js';
import type { TranslationModel } from '../../src/inference/domain.js';
import type { TextFormat } from '../../src/translation/texts/text-units.js';
import type { TextTranslator } from '../../src/translation/texts/text-translator.js';
import { textsOf, toGerman } from '../../test/support/builders/translating-model.js';
import { builtModule } from '../built.js';

type UnitTranslators = typeof import('../../src/translation/engines/unit-translator.js');
type TextMemories = typeof import('../../src/translation/texts/text-memory.js');
type TextTranslators = typeof import('../../src/translation/texts/text-translator.js');

const { UnitTranslator } = await builtModule<UnitTranslators>('translation/engines/unit-translator.js');
const { TextMemory } = await builtModule<TextMemories>('translation/texts/text-memory.js');
const translators = await builtModule<TextTranslators>('translation/texts/text-translator.js');

const OWNER: CallOwner = { tenantId: 'ten_bench', tokenId: 'tok_bench', userId: 'usr_bench' };
const MODEL: TranslationModel = {
  id: 'bench',
  engine: 'chat',
  traits: null,
  isHealthy: true,
  maxConcurrency: undefined,
};

/** A translator whose chat model is a function, without HTTP and database. */
export interface LocalTranslator {
  readonly translator: TextTranslator;
  /** Milliseconds that its model has taken to make its answers, without waiting. */
  readonly modelTime: () => number;
}

/** @param milliseconds that the model waits before each answer */
export function translatorAnswering(milliseconds: number): LocalTranslator {
  let modelTime = 0;
  const unit = new UnitTranslator({
    check: async () => undefined,
    translationModels: async () => [MODEL],
    transformOf: () => undefined,
    translate: () => Promise.reject(new Error('There is no engine but the chat model.')),
    complete: async (_caller, { request, context }) => {
      context.begun?.();
      if (milliseconds > 0) await sleep(milliseconds);
      const startedAt = performance.now();
      const answers = Object.entries(textsOf({ body: request })).map(([id, text]) => [id, toGerman(text)]);
      const message = { role: 'assistant', content: JSON.stringify(Object.fromEntries(answers)) };
      modelTime += performance.now() - startedAt;
      return {
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      };
    },
  });
  return { translator: new translators.TextTranslator(unit, new TextMemory()), modelTime: () => modelTime };
}

/** @returns milliseconds @throws Error where a text was not translated */
export async function translate(
  translator: TextTranslator,
  texts: readonly string[],
  format: TextFormat = 'text',
): Promise<number> {
  const startedAt = performance.now();
  const request = { texts, field: 'texts', format, options: { source: 'en', target: 'de' } } as const;
  const context = { serverRequestId: 'bench', signal: new AbortController().signal };
  const { translations } = await translator.translate(OWNER, request, context);
  const taken = performance.now() - startedAt;
  if (translations.some(({ warnings }) => warnings.length > 0)) throw new Error('A text was not translated.');
  return taken;
}
