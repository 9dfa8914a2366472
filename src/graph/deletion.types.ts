import { Field, ID, ObjectType } from 'type-graphql';

/** What every deletion answers, so that a client's cache can drop the object by its id. */
@ObjectType({ simpleResolvers: true, description: 'The answer of every deletion.' })
export class Deletion {
  @Field(() => ID, { description: 'What was deleted.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true: what fails is an error.' })
  success!: true;
}
