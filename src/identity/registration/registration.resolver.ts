import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Public } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { User } from '../users/user.entity.js';
import type { RegistrationService } from './registration.service.js';
import { Confirmation, RegistrationCheck } from './registration.types.js';

/** Registration of people who have no account yet. */
@Resolver()
export class RegistrationResolver {
  constructor(private readonly service: RegistrationService) {}

  @Public('who asks has no account yet')
  @Query(() => RegistrationCheck, { description: 'Whether an address can be registered.' })
  registration(
    @Arg('email', () => String, { description: 'The address.' }) email: string,
    @Ctx() context: RequestContext,
  ): Promise<RegistrationCheck> {
    return this.service.check(context, email);
  }

  @Public('who registers has no account yet')
  @Mutation(() => User, { description: 'Make an account, which waits for the code that is mailed to its address.' })
  register(
    @Arg('email', () => String, { description: 'The address to sign in with.' }) email: string,
    @Arg('password', () => String, { description: '12 to 256 characters.' }) password: string,
    @Arg('name', () => String, { description: 'What people call the user; 1 to 200 characters.' }) name: string,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return this.service.register(context, email, password, name);
  }

  @Public('the mailed code is the credential')
  @Mutation(() => Confirmation, { description: 'Confirm an address by the code that was mailed to it.' })
  confirmRegistration(
    @Arg('email', () => String, { description: 'The address that was registered.' }) email: string,
    @Arg('code', () => String, { description: 'The six digits of the mail.' }) code: string,
    @Ctx() context: RequestContext,
  ): Promise<Confirmation> {
    return this.service.confirm(context, email, code);
  }
}
