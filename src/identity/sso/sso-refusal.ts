import type { Logger } from 'pino';
import { Unauthorized } from '../../errors.js';
import { SignInRefused } from '../users/sign-in-refused.js';

/** Why a single sign-on is refused, as a sentence: for the log alone, since a client is told that it failed and nothing else. */
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
    const why = error instanceof SignInRefused ? error.why : undefined;
    log.info({ reason: why === undefined ? error.message : toSentence(why) }, 'a single sign-on was refused');
    const message = 'The single sign-on has failed. Please start it again.';
    throw why === undefined ? new Unauthorized(message) : new SignInRefused(why, message);
  }
}

function toSentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}
