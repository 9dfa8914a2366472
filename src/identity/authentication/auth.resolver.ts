import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../../context.js';
import { Public } from '../../access/access-rule.js';
import type { AuthService } from './auth.service.js';
import { Success, TokenPair } from './auth.types.js';

/** Sign-in, refresh and logout. */
@Resolver()
export class AuthResolver {
  constructor(private readonly auth: AuthService) {}

  @Public('the way to a token')
  @Mutation(() => TokenPair, { description: 'Sign in with email and password.' })
  login(
    @Arg('email', () => String, { description: 'The address of the account.' }) email: string,
    @Arg('password', () => String, { description: '12 to 256 characters.' }) password: string,
    @Ctx() context: RequestContext,
  ): Promise<TokenPair> {
    return this.auth.login(context, email, password);
  }

  @Public('the refresh token is the credential')
  @Mutation(() => TokenPair, { description: 'Exchange a refresh token for a new pair.' })
  refresh(
    @Arg('refreshToken', () => String, {
      description: 'The one of the last pair; a used one ends the session, but for a retry within seconds.',
    })
    refreshToken: string,
    @Ctx() context: RequestContext,
  ): Promise<TokenPair> {
    return this.auth.refresh(context, refreshToken);
  }

  @Public('the tokens are the credential, and an expired one may be logged out too')
  @Mutation(() => Success, { description: 'End the session of the tokens; succeeds for unknown tokens, too.' })
  logout(
    @Ctx() context: RequestContext,
    @Arg('accessToken', () => String, { nullable: true, description: 'Also where it has expired.' }) accessToken?:
      | string
      | null,
    @Arg('refreshToken', () => String, { nullable: true, description: 'Its whole session ends.' }) refreshToken?:
      | string
      | null,
  ): Promise<Success> {
    return this.auth.logout(context, accessToken, refreshToken);
  }
}
