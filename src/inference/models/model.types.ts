import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** A model that a backend serves (specification, section 2, Model). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A model that a backend serves.' })
export class Model {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'Always `model`.' })
  object!: string;

  @Field(() => String)
  ownedBy!: string;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  created!: number;

  @Field(() => [String], { description: 'What the backend can do with it.' })
  capabilities!: string[];
}

/** A backend (specification, section 2, Backend instance). It has no address and no key. */
@ObjectType({ simpleResolvers: true, description: 'A backend that answers for models.' })
export class BackendInstance {
  @Field(() => String)
  backend!: string;

  @Field(() => String)
  provider!: string;

  @Field(() => [String])
  supports!: string[];

  @Field(() => [String])
  models!: string[];

  @Field(() => Boolean, { description: 'What the last probe or call showed.' })
  healthy!: boolean;

  @Field(() => Int, { nullable: true, description: 'Of the last successful probe; null before it.' })
  latencyMs!: number | null;

  @Field(() => Int, { description: 'Calls that are being answered.' })
  inFlight!: number;
}
