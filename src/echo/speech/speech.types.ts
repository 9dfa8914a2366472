import { Field, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';

/** A voice that a model speaks with (docs/api.md, Echo). */
@ObjectType({ simpleResolvers: true, description: 'A voice that a model speaks with.' })
export class SpeechVoice {
  // No `id`: clients would take the voices of two models for one object.
  @Field(() => String, { description: 'What `voice` of a request names it by.' })
  voice!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Its language (BCP 47); null where it is not known.' })
  language!: string | null;
}

/** The voices of one model. */
@ObjectType({ simpleResolvers: true, description: 'The voices of a model that speaks.' })
export class SpeechModelVoices {
  @Field(() => String, { description: 'The public name of the model.' })
  model!: string;

  @Field(() => [SpeechVoice], { description: 'Those that are known; the first speaks where none is named.' })
  voices!: readonly SpeechVoice[];
}

/** A piece of speech while it is made: sound, or at the end what was used. */
@ObjectType({ simpleResolvers: true, description: 'A piece of speech, or its end.' })
export class SpeechChunk {
  @Field(() => String, { description: '`speech.audio.delta` with sound, or `speech.audio.done`.' })
  type!: string;

  @Field(() => String, { nullable: true, description: 'Sound in the format that was asked for, as base64.' })
  audio!: string | null;

  @Field(() => JsonScalar, { description: 'The whole event, as REST streams it.' })
  raw!: unknown;
}
