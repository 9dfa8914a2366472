import type passport from 'passport';
import type { Client } from '../../access/client.js';
import { BadRequest } from '../../errors.js';
import type { AccessTokens } from '../tokens/access-token.js';
import type { Success, TokenPair } from './auth.types.js';
import { isAddress, normalizeEmail } from '../users/email.js';
import { runStrategy } from './run-strategy.js';
import type { Grant, SessionsService } from '../sessions/sessions.service.js';
import type { SignInAccounts } from './sign-in-accounts.js';
import type { SignInAudit } from './sign-in-audit.js';
import type { SignInThrottle } from './sign-in-throttle.js';
import type { TokenIssuer } from './token-issuer.js';
import type { User } from '../users/user.entity.js';

const MAX_PASSWORD_CHARACTERS = 1_024;

interface AuthParts {
  readonly strategies: passport.Authenticator;
  readonly throttle: SignInThrottle;
  readonly sessions: SessionsService;
  readonly accessTokens: AccessTokens;
  readonly issuer: TokenIssuer;
  readonly findAccount: SignInAccounts['find'];
  readonly signInAudit: SignInAudit;
}

/** Sign-in, refresh and logout (docs/api.md, Sign-in). They are public, so there is no caller. */
export class AuthService {
  constructor(private readonly parts: AuthParts) {}

  /**
   * Opens a session.
   * @throws Unauthorized, the same for an unknown account, a wrong password and a suspended user;
   * Forbidden with reason `not_confirmed`; RateLimited after too many failures
   */
  async login(client: Client, email: string, password: string): Promise<TokenPair> {
    const body = { email: normalizeEmail(email), password };
    if (password === '') throw new BadRequest('password must not be empty.', 'password');
    if (password.length > MAX_PASSWORD_CHARACTERS) throw new BadRequest('password is too long.', 'password');
    const signIn = () => runStrategy<User>(this.parts.strategies, 'password', { body });
    const attempt = () => this.parts.throttle.attempt(body.email, client.address, signIn);
    const find = () => this.parts.findAccount(body.email);
    // Some type the password where the address belongs.
    const name = isAddress(body.email) ? body.email : undefined;
    const user = await this.parts.signInAudit.attempt(client, name, find, attempt);
    return this.parts.issuer.openSession(client, user);
  }

  /**
   * Exchanges a refresh token for a new pair; a second use behind a short grace ends the session.
   * @throws Unauthorized with `reason` where the token was ours; also for suspended and disabled users
   */
  async refresh(client: Client, refreshToken: string): Promise<TokenPair> {
    const body = { refresh_token: refreshToken };
    return this.parts.issuer.toPair(await runStrategy<Grant>(this.parts.strategies, 'refresh', { body, client }));
  }

  /** Ends the sessions of the tokens that are ours, expired ones included. Succeeds for whatever else is sent, too. */
  async logout(client: Client, accessToken?: string | null, refreshToken?: string | null): Promise<Success> {
    const sessionIds = await Promise.all([
      accessToken ? this.parts.accessTokens.sessionOf(accessToken) : undefined,
      refreshToken ? this.parts.sessions.findByRefreshToken(refreshToken) : undefined,
    ]);
    for (const sessionId of new Set(sessionIds)) if (sessionId) await this.parts.sessions.end(client, sessionId);
    return { success: true };
  }
}
