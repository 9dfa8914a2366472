import { Arg, Ctx, Query, Mutation, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import type { EventStream } from '../../graph/event-stream.js';
import type { TranslationCatalog } from '../catalog/translation-catalog.js';
import { TranslationEngineLanguages } from '../catalog/translation-engine-languages.types.js';
import type { TextTranslator } from './text-translator.js';
import { TextTranslation, TranslationItem } from './text-translation.types.js';
import { checkedTextRequest, TranslateTextInput } from './translate-text.inputs.js';
import { TranslationEvents } from './translation-events.js';

const translateRule = {
  credential: 'bearer',
  scope: 'translate:write',
  rateLimited: true,
  metered: 'translate',
  byok: true,
} as const;
const readRule = { credential: 'bearer', scope: 'translate:write' } as const;
const INPUT = { description: 'The texts, the languages, and what else is wanted.' };

/** Texts in other languages. */
@Resolver()
export class TextTranslationResolver {
  constructor(
    private readonly texts: TextTranslator,
    private readonly catalog: TranslationCatalog,
  ) {}

  @Access(translateRule)
  @Mutation(() => TextTranslation, { description: 'Translates texts. Nothing of them is stored.' })
  translateText(
    @Arg('input', () => TranslateTextInput, INPUT) input: TranslateTextInput,
    @Ctx() context: RequestContext,
  ): Promise<TextTranslation> {
    return this.texts.translate(callerOf(context), checkedTextRequest(input), context);
  }

  @Access(translateRule)
  @Subscription(() => TranslationItem, {
    topics: 'unused',
    description: 'Translates texts, and tells of each as soon as it is ready.',
  })
  translateTextStream(
    @Arg('input', () => TranslateTextInput, INPUT) input: TranslateTextInput,
    @Ctx() context: RequestContext,
  ): EventStream<TranslationItem> {
    const caller = callerOf(context);
    const request = checkedTextRequest(input);
    return new TranslationEvents(
      (signal, onText) => this.texts.translate(caller, request, { ...toCallContext(context), signal }, onText),
      context.signal,
    );
  }

  @Access(readRule)
  @Query(() => [TranslationEngineLanguages], {
    nullable: true,
    description: 'What translates for the caller, and from which languages into which.',
  })
  translationLanguages(@Ctx() context: RequestContext): Promise<TranslationEngineLanguages[]> {
    return this.catalog.list(callerOf(context), context);
  }
}

/** What of a request's context a call needs. */
function toCallContext({ requestId, serverRequestId, signal, byok, timings, admission }: RequestContext) {
  return { requestId, serverRequestId, signal, byok, timings, admission };
}
