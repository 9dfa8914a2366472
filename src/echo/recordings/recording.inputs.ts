import { Field, InputType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { RecordingMethod, RecordingQuality } from './recording.entity.js';

/** A recording that is to be made. */
@InputType({ description: 'A recording that is to be made.' })
export class RecordingInput {
  @Field(() => String, { description: '1 to 200 characters; others may have the same.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'What its audio is called; by default as it is sent.' })
  filename?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What is spoken, such as `en` or `pt-BR`; empty by default: the engine finds out.',
  })
  language?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its transcript is to tell speakers apart; false by default.',
  })
  diarizationEnabled?: boolean | null;

  @Field(() => RecordingMethod, { nullable: true, description: 'How its audio comes; `upload` by default.' })
  method?: RecordingMethod | null;

  @Field(() => RecordingQuality, { nullable: true, description: 'How a client is to record; `standard` by default.' })
  quality?: RecordingQuality | null;
}

/** What is to change of a recording; what is absent stays. */
@InputType({ description: 'What is to change of a recording; what is absent stays.' })
export class RecordingPatch {
  @Field(() => String, { nullable: true, description: '1 to 200 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What its audio is called; may be empty.' })
  filename?: string | null;

  @Field(() => String, { nullable: true, description: 'What is spoken; counts for the next transcript.' })
  language?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether speakers are told apart; counts for the next transcript.',
  })
  diarizationEnabled?: boolean | null;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Names of speakers by their labels, such as `{"S1": "Ann"}`; null as a name takes one back.',
  })
  speakers?: unknown;
}
