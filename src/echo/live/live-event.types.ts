import { Field, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { TranscriptionEventType } from './live-event.entity.js';

/** An event of a live transcription, as it is told. */
@ObjectType({ simpleResolvers: true, description: 'What has happened in a transcription.' })
export class TranscriptionEvent {
  // No `id`: clients would take the events of two recordings for one object.
  @Field(() => Int, { description: 'From 1 for each recording, without gaps: what `after` names.' })
  sequence!: number;

  @Field(() => TranscriptionEventType, { description: 'What it tells of.' })
  type!: TranscriptionEventType;

  @Field(() => JsonScalar, { description: 'By its type; see docs/api.md, Events of transcriptions.' })
  data!: unknown;
}
