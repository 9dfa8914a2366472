import type { Authenticator } from '../../access/caller.js';
import type { DomainParts } from '../../domain-module.js';
import type { DirectorySignIn } from '../directories/directory-sign-in.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { RevocationsService } from '../sessions/revocations.service.js';
import type { SessionsService } from '../sessions/sessions.service.js';
import type { Tokens } from '../tokens/tokens.js';
import type { UsersService } from '../users/users.service.js';
import { AuthResolver } from './auth.resolver.js';
import { AuthService } from './auth.service.js';
import { SignInAccounts } from './sign-in-accounts.js';
import type { SignInAudit } from './sign-in-audit.js';
import type { SignInThrottle } from './sign-in-throttle.js';
import { createPassport } from './strategies.js';
import { TokenAuthenticator } from './token-authenticator.js';
import type { TokenIssuer } from './token-issuer.js';

/** What authentication uses of the rest of identity. */
interface AuthenticationNeeds {
  readonly tokens: Tokens;
  readonly users: UsersService;
  readonly hasher: PasswordHasher;
  readonly directories: DirectorySignIn;
  readonly sessions: SessionsService;
  readonly revocations: RevocationsService;
  readonly throttle: SignInThrottle;
  readonly issuer: TokenIssuer;
  readonly signInAudit: SignInAudit;
}

/** What authentication adds to identity. */
interface Authentication extends Pick<DomainParts<object>, 'resolvers'> {
  readonly authenticator: Authenticator;
}

/** Wires sign-in by a password, and the verification of tokens. */
export function createAuthentication({
  tokens,
  users,
  hasher,
  directories,
  sessions,
  revocations,
  throttle,
  issuer,
  signInAudit,
}: AuthenticationNeeds): Authentication {
  const accounts = new SignInAccounts(users, directories);
  const strategies = createPassport({ ...tokens, users, accounts, hasher, directories, sessions });
  const { accessTokens } = tokens;
  const findAccount = (email: string) => accounts.find(email);
  const auth = new AuthService({ strategies, throttle, sessions, accessTokens, issuer, findAccount, signInAudit });
  return {
    resolvers: [new AuthResolver(auth)],
    authenticator: new TokenAuthenticator({ ...tokens, strategies, revocations }),
  };
}
