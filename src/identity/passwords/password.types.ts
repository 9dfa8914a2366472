import { Field, ID, ObjectType } from 'type-graphql';

/** The answer where a password was set on somebody's behalf. */
@ObjectType({ simpleResolvers: true, description: "The answer where a password was set on somebody's behalf." })
export class PasswordChange {
  @Field(() => ID, { description: 'Whose password it is.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true: what fails is an error.' })
  success!: true;
}
