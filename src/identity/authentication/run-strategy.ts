import jwt from 'jsonwebtoken';
import type passport from 'passport';
import type { Client } from '../../access/client.js';
import { PlatformError, Unauthorized } from '../../errors.js';
import { tokenExpired } from '../tokens/token-errors.js';

/** The names of our passport strategies. */
export type StrategyName = 'password' | 'refresh' | 'jwt' | 'api-token';

/** What a strategy reads; credentials come from resolvers, sockets and headers alike, so it is no HTTP request. */
export interface Credentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
  /** Where they come from. */
  readonly client?: Client;
}

/**
 * Runs one passport strategy.
 * @returns what the strategy authenticated
 * @throws PlatformError that the strategy failed with; what else it failed with becomes Unauthorized
 */
export async function runStrategy<Result>(
  strategies: passport.Authenticator,
  name: StrategyName,
  { headers = {}, body = {}, client }: Credentials,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const finish = (error: unknown, result: Result | false | null | undefined, info: unknown) => {
      if (error) reject(error);
      else if (result) resolve(result);
      else reject(asRefusal(info));
    };
    // passport puts its own methods on the request.
    strategies.authenticate(name, { session: false }, finish)({ headers, body, client }, {}, reject);
  });
}

function asRefusal(info: unknown): PlatformError {
  if (info instanceof PlatformError) return info;
  // Expiry is looked at after the signature, so this token was ours.
  if (info instanceof jwt.TokenExpiredError) return tokenExpired();
  return new Unauthorized();
}
