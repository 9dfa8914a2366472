import passport from 'passport';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import { Strategy as LocalStrategy } from 'passport-local';
import type { JwtPrincipal } from '../../access/caller.js';
import { Forbidden, Unauthorized } from '../../errors.js';
import type { AccessClaims, TokenRules } from '../tokens/access-token.js';
import { keyIdOf } from '../tokens/access-token.js';
import type { ApiTokenVerifier } from '../tokens/api-token-verifier.js';
import type { DirectorySignIn } from '../directories/directory-sign-in.js';
import { ApiTokenStrategy } from './api-token.strategy.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { RefreshStrategy } from './refresh.strategy.js';
import type { SignInAccounts } from './sign-in-accounts.js';
import { answerKeyOf, sessionIdOf } from '../sessions/session-secret.js';
import type { SessionsService } from '../sessions/sessions.service.js';
import type { SigningKeysService } from '../tokens/signing-keys.service.js';
import { tokenRevoked } from '../tokens/token-errors.js';
import { SignInRefused } from '../users/sign-in-refused.js';
import type { User } from '../users/user.entity.js';
import type { UsersService } from '../users/users.service.js';

interface StrategyDependencies {
  readonly users: UsersService;
  readonly accounts: SignInAccounts;
  readonly hasher: PasswordHasher;
  readonly directories: Pick<DirectorySignIn, 'signIn'>;
  readonly sessions: SessionsService;
  readonly keys: SigningKeysService;
  readonly rules: TokenRules;
  readonly apiTokenVerifier: ApiTokenVerifier;
}

/** Every way to prove who one is: `password` gives a User, `refresh` a Grant, `jwt` and `api-token` a Principal. */
export function createPassport(dependencies: StrategyDependencies): passport.Authenticator {
  const { users, sessions, keys, rules, apiTokenVerifier } = dependencies;
  return new passport.Authenticator()
    .use('password', passwordStrategy(dependencies))
    .use('refresh', new RefreshStrategy((client, refreshToken) => sessions.rotate(client, refreshToken)))
    .use('jwt', jwtStrategy(users, keys, rules))
    .use('api-token', new ApiTokenStrategy((token) => apiTokenVerifier.verify(token)));
}

type PasswordDependencies = Pick<StrategyDependencies, 'accounts' | 'hasher' | 'directories'>;

function passwordStrategy(dependencies: PasswordDependencies): LocalStrategy {
  return new LocalStrategy({ usernameField: 'email' }, (email, password, done) => {
    signIn(dependencies, email, password).then((user) => done(null, user), done);
  });
}

async function signIn(
  { accounts, hasher, directories }: PasswordDependencies,
  email: string,
  password: string,
): Promise<User> {
  const { directory, local: user } = await accounts.resolve(email);
  if (directory) return directories.signIn(directory, email, password);
  // Also without a user, so that the time tells nothing.
  const matches = await hasher.verify(user?.passwordHash, password);
  if (!user || !matches) throw new Unauthorized('The email or the password is wrong.');
  if (user.status !== 'active') throw new SignInRefused(`the account is ${user.status}`);
  if (!user.confirmed) throw new Forbidden('The email address has not been confirmed yet.', 'not_confirmed');
  return user;
}

function jwtStrategy(users: UsersService, keys: SigningKeysService, rules: TokenRules): JwtStrategy {
  return new JwtStrategy(
    {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = keys.publicPem(keyIdOf(token) ?? '');
        if (key === undefined) done(new Unauthorized());
        else done(null, key);
      },
      algorithms: rules.algorithms,
      issuer: rules.issuer,
      audience: rules.audience,
      ignoreExpiration: false,
    },
    (claims: AccessClaims, done) => {
      principalOf(users, claims).then((principal) => done(null, principal), done);
    },
  );
}

/** Whom a token stands for whose signature is ours: what may change since it was signed is read from the user. */
async function principalOf(users: UsersService, claims: AccessClaims): Promise<JwtPrincipal> {
  const user = await users.findById(claims.sub);
  if (!user || user.status !== 'active' || user.userVersion !== claims.ver) throw tokenRevoked();
  return {
    credential: 'jwt',
    userId: user.id,
    tenantId: user.tenantId,
    privileges: user.privileges,
    scopes: new Set(claims.scope.split(' ')),
    tokenId: claims.jti,
    sessionId: sessionIdOf(claims.sid),
    answerKey: answerKeyOf(claims.sid),
    userVersion: user.userVersion,
    expiresAt: claims.exp,
  };
}
