import type { Logger } from 'pino';
import { Unauthorized } from '../../errors.js';
import { AccountNotActive } from '../users/account-not-active.js';

/** Why a single sign-on is refused: for the log alone, since a client is told that it failed and nothing else. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';
}

/**
 * Runs a sign-in, and turns every refusal into one and the same.
 * @throws Unauthorized, always equal; what is no refusal stays as it is
 */
export async function withOneRefusal<Result>(log: Logger, signIn: () => Promise<Result>): Promise<Result> {
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof SsoRefusal) && !(error instanceof Unauthorized)) throw error;
    // A refusal names neither persons nor tokens.
    log.info({ reason: error.message }, 'a single sign-on was refused');
    const message = 'The single sign-on has failed. Please start it again.';
    throw error instanceof AccountNotActive
      ? new AccountNotActive(error.accountStatus, message)
      : new Unauthorized(message);
  }
}
