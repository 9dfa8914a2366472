import { Field, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { ResearchEventType } from '../sessions/research-event.entity.js';

/** An event of a session, as it is told. */
@ObjectType({ simpleResolvers: true, description: 'What has happened in a research session.' })
export class ResearchSessionEvent {
  // No `id`: clients would take the events of two sessions for one object.
  @Field(() => Int, { description: 'From 1 for each session, without gaps: what `lastEventId` names.' })
  sequence!: number;

  @Field(() => ResearchEventType, { description: 'What it tells of.' })
  type!: ResearchEventType;

  @Field(() => JsonScalar, { description: 'By its type; see docs/api.md, Events of research sessions.' })
  data!: unknown;
}
