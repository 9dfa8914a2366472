import { Field, ObjectType } from 'type-graphql';

/** Two languages. */
@ObjectType({ simpleResolvers: true, description: 'Two languages, from one into the other.' })
export class TranslationPair {
  @Field(() => String, { description: 'BCP 47, as the engine calls it; `*`: any.' })
  source!: string;

  @Field(() => String, { description: 'BCP 47, as the engine calls it; `*`: any.' })
  target!: string;
}

/** What a model translates (docs/translation.md). */
@ObjectType({ simpleResolvers: true, description: 'What a model translates.' })
export class TranslationEngineLanguages {
  @Field(() => String, { description: '`libretranslate`, `apertium` or `chat`.' })
  engine!: string;

  @Field(() => String, { description: 'What `model` names it by.' })
  model!: string;

  /** There may be thousands: they are made where somebody reads them, and in turns. */
  @Field(() => [TranslationPair], { description: 'From which languages into which.' })
  pairs!: () => Promise<readonly Promise<TranslationPair>[]>;

  @Field(() => Boolean, { description: 'Whether it takes `formality`.' })
  formality!: boolean;

  @Field(() => Boolean, { description: 'Whether it takes `glossary`.' })
  glossary!: boolean;

  @Field(() => Boolean, { description: 'Whether it takes `format` `html`.' })
  html!: boolean;

  @Field(() => Boolean, { description: 'Whether it takes `context`.' })
  context!: boolean;
}
