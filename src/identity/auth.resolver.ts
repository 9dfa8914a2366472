import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Public } from '../graph/access.js';
import type { AuthService } from './auth.service.js';
import { Success, TokenPair } from './auth.types.js';

/** Sign-in, refresh and logout. */
@Resolver()
export class AuthResolver {
  constructor(private readonly auth: AuthService) {}

  @Public('the way to a token')
  @Mutation(() => TokenPair, { description: 'Sign in with email and password.' })
  login(
    @Arg('email', () => String) email: string,
    @Arg('password', () => String) password: string,
    @Ctx() context: RequestContext,
  ): Promise<TokenPair> {
    return this.auth.login(context.address, email, password);
  }

  @Public('the refresh token is the credential')
  @Mutation(() => TokenPair, { description: 'Exchange a refresh token, which works once, for a new pair.' })
  refresh(@Arg('refreshToken', () => String) refreshToken: string): Promise<TokenPair> {
    return this.auth.refresh(refreshToken);
  }

  @Public('the tokens are the credential, and an expired one may be logged out too')
  @Mutation(() => Success, { description: 'End the session of the tokens; succeeds for unknown tokens, too.' })
  logout(
    @Arg('accessToken', () => String, { nullable: true }) accessToken?: string | null,
    @Arg('refreshToken', () => String, { nullable: true }) refreshToken?: string | null,
  ): Promise<Success> {
    return this.auth.logout(accessToken, refreshToken);
  }
}
