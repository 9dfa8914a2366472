import { Field, Int, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import { ResearchEventType } from '../sessions/research-event.entity.js';

/** An event of a session, as it is told. */
@ObjectType({ simpleResolvers: true, description: 'What has happened in a research session.' })
export class ResearchSessionEvent {
  @Field(() => Int, { description: 'From 1 for each session, without gaps.' })
  id!: number;

  @Field(() => ResearchEventType, { description: 'What it tells of.' })
  type!: ResearchEventType;

  @Field(() => JsonScalar, { description: 'By its type; see docs/api.md, Events of research sessions.' })
  data!: unknown;
}
