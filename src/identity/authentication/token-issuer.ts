import type { Client } from '../../access/client.js';
import type { Grant, SessionsService } from '../sessions/sessions.service.js';
import type { AccessTokens } from '../tokens/access-token.js';
import { ACCESS_TOKEN_SECONDS } from '../tokens/signing-keys.service.js';
import type { User } from '../users/user.entity.js';
import type { TokenPair } from './auth.types.js';

/** Gives those who have proven who they are the tokens of a session. */
export class TokenIssuer {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * Opens a session for a user whose credentials have just been checked.
   * @throws Unauthorized when the user has been changed in the meantime
   */
  async openSession(client: Client, user: User): Promise<TokenPair> {
    return this.toPair(await this.sessions.open(client, user));
  }

  /** The tokens of a session that has just begun or gone on. */
  toPair({ user, sid, refreshToken }: Grant): TokenPair {
    return {
      accessToken: this.accessTokens.sign(user, sid),
      refreshToken,
      tokenType: 'bearer',
      expiresIn: ACCESS_TOKEN_SECONDS,
      user,
    };
  }
}
