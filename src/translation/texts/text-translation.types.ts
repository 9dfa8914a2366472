import { Field, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** A text in the target language. */
@ObjectType({ simpleResolvers: true, description: 'A text in the target language.' })
export class TranslatedText {
  @Field(() => String, { description: 'In the format in which it was sent.' })
  text!: string;

  @Field(() => String, {
    nullable: true,
    description: 'BCP 47, where the source was not said and the text itself, or the engine, tells it.',
  })
  detectedLanguage!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`libretranslate`, `apertium` or `chat`; null where nothing had to be translated.',
  })
  engine!: string | null;

  @Field(() => [String], { description: 'Why it is not, or not wholly, translated.' })
  warnings!: string[];
}

/** Tokens of the calls of a translation. */
@ObjectType({ simpleResolvers: true, description: 'Tokens of the calls of a translation.' })
export class TextTranslationUsage {
  @Field(() => Int, { description: 'What the engine has read.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'What the engine has written.' })
  completionTokens!: number;

  @Field(() => Int, { description: 'Both.' })
  totalTokens!: number;
}

/** Texts in the target language (docs/translation.md). */
@ObjectType({ simpleResolvers: true, description: 'Texts in the target language.' })
export class TextTranslation {
  @Field(() => String, { description: 'Always `translation`.' })
  object!: string;

  @Field(() => String, { nullable: true, description: 'What has translated; null where nothing had to be translated.' })
  model!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'As it was said, or the one that all texts have; null where they differ, or nobody could tell.',
  })
  sourceLanguage!: string | null;

  @Field(() => String, { description: 'BCP 47.' })
  targetLanguage!: string;

  @Field(() => [TranslatedText], { description: 'One for each text, in their order.' })
  translations!: TranslatedText[];

  @Field(() => TextTranslationUsage, {
    description: 'Of all calls; of engines that tell none as they were counted here.',
  })
  usage!: TextTranslationUsage;
}

/** One text of a streamed translation. */
@ObjectType({ simpleResolvers: true, description: 'One text of a streamed translation.' })
export class TranslationItem extends TranslatedText {
  @Field(() => Int, { description: 'Its place among the texts, from 0.' })
  index!: number;

  @Field(() => JsonScalar, { description: 'The event as REST has it.' })
  raw!: JsonObject;
}
