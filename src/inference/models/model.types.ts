import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { SafeInt } from '../../graph/safe-int.scalar.js';

/** A model that a backend serves (docs/api.md, Models). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A model that a backend serves.' })
export class Model {
  @Field(() => ID, { description: 'The public name, by which it is called.' })
  id!: string;

  @Field(() => String, { description: 'Always `model`.' })
  object!: string;

  @Field(() => String, { description: 'Who the server says has made it.' })
  ownedBy!: string;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  created!: number;

  @Field(() => [String], { description: 'What the backend can do with it.' })
  capabilities!: string[];
}

/** A backend (docs/api.md, Backends). It has no address and no key. */
@ObjectType({ simpleResolvers: true, description: 'A backend that answers for models.' })
export class BackendInstance {
  @Field(() => ID, { description: 'The same for as long as the backend is there.' })
  id!: string;

  @Field(() => String, { description: 'What people call it.' })
  backend!: string;

  @Field(() => String, { description: 'Which company or software answers.' })
  provider!: string;

  @Field(() => [String], { description: 'What it can do, such as `chat` or `embeddings`.' })
  supports!: string[];

  @Field(() => [String], { description: 'The public names of its models that the caller may use.' })
  models!: string[];

  @Field(() => Boolean, { description: 'What the last probe or call showed.' })
  healthy!: boolean;

  @Field(() => Int, { nullable: true, description: 'Of the last successful probe; null before it.' })
  latencyMs!: number | null;

  @Field(() => Int, { description: 'Calls that are being answered.' })
  inFlight!: number;
}
