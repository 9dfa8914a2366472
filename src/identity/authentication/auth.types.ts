import { Field, Int, ObjectType } from 'type-graphql';
import { Public } from '../../access/access-rule.js';
import { User } from '../users/user.entity.js';

/** The answer of a sign-in (docs/api.md, Sign-in). */
@ObjectType({ simpleResolvers: true, description: 'The answer of a sign-in.' })
export class TokenPair {
  @Field(() => String, { description: 'A JWT for API requests.' })
  accessToken!: string;

  @Field(() => String, { description: 'Works once, for the next pair.' })
  refreshToken!: string;

  @Field(() => String, { description: 'Always `bearer`.' })
  tokenType!: 'bearer';

  @Field(() => Int, { description: 'Lifetime of the access token in seconds.' })
  expiresIn!: number;

  @Public('who signs in is told who that is')
  @Field(() => User, { description: 'Who has signed in.' })
  user!: User;
}

/** The answer of an operation that has nothing else to tell. */
@ObjectType({ simpleResolvers: true, description: 'The answer of an operation that has nothing else to tell.' })
export class Success {
  @Field(() => Boolean, { description: 'Always true: what fails is an error.' })
  success!: true;
}
