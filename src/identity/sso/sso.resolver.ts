import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { Public } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { TokenPair } from '../authentication/auth.types.js';
import type { BrowserSsoService } from './browser-sso.service.js';
import type { SsoLoginService } from './sso-login.service.js';
import { SsoRedirect } from './sso.types.js';

/** Sign-in by an identity provider. */
@Resolver()
export class SsoResolver {
  constructor(
    private readonly logins: SsoLoginService,
    private readonly browsers: BrowserSsoService,
  ) {}

  @Public('the proof is the credential')
  @Mutation(() => TokenPair, { description: 'Sign in by the proof of an identity provider, which counts once.' })
  ssoLogin(
    @Arg('oid', () => ID, { description: 'Who it is, as the proof says; `sub:` and the subject without `oid`.' })
    oid: string,
    @Arg('tid', () => ID, { description: 'The tenant id of the identity provider.' }) tid: string,
    @Arg('upn', () => String, { description: 'The address, as the proof says.' }) upn: string,
    @Ctx() context: RequestContext,
    @Arg('idToken', () => String, { nullable: true, description: 'An id token; it may also be sent as the bearer.' })
    idToken?: string | null,
  ): Promise<TokenPair> {
    return this.logins.login(context, context.proof ?? {}, { oid, tid, upn }, idToken);
  }

  @Public('whoever signs in has no credential yet')
  @Mutation(() => SsoRedirect, { description: 'Begin to sign in at the identity provider of a domain, by a browser.' })
  startSso(
    @Arg('email', () => String, { description: 'Its domain decides to which provider.' }) email: string,
    @Ctx() context: RequestContext,
  ): Promise<SsoRedirect> {
    return this.browsers.start(context, email);
  }

  @Public('the code of the identity provider is the credential')
  @Mutation(() => SsoRedirect, { description: 'End a sign-in, when the identity provider has sent the browser back.' })
  finishSso(
    @Ctx() context: RequestContext,
    @Arg('code', () => String, { nullable: true, description: 'Of the provider; it has none where it refuses.' })
    code?: string | null,
    @Arg('state', () => String, { nullable: true, description: 'As the provider was given it.' }) state?: string | null,
    @Arg('iss', () => String, { nullable: true, description: 'The issuer (RFC 9207).' }) iss?: string | null,
    @Arg('error', () => String, { nullable: true, description: 'Why the provider refuses.' }) error?: string | null,
  ): Promise<SsoRedirect> {
    return this.browsers.finish(context, { code, state, iss, error });
  }

  @Public('the code is the credential')
  @Mutation(() => TokenPair, {
    description: 'Exchange the code of a finished sign-in for tokens, by the same browser.',
  })
  exchangeSsoCode(
    @Arg('code', () => String, { description: 'From the fragment of the page; it works once, for a minute.' })
    code: string,
    @Ctx() context: RequestContext,
  ): Promise<TokenPair> {
    return this.browsers.exchange(context, code);
  }
}
