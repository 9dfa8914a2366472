import { Unauthorized } from '../../errors.js';

/** What a caller is told whose token, or the session of it, has ended before its time. */
export function tokenRevoked(): Unauthorized {
  return new Unauthorized('This token has been revoked.', 'token_revoked');
}

/** What a caller is told whose token has reached its end. */
export function tokenExpired(): Unauthorized {
  return new Unauthorized('The token has expired.', 'token_expired');
}
