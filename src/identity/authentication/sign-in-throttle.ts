import type { AttemptCounters } from './attempt-limiters.js';
import { networkOf, siteOf } from '../../platform/net/client-network.js';
import { FailureLimiter } from './failure-limiter.js';

const WINDOW_SECONDS = 15 * 60;

/**
 * Limits guessing within 15 minutes: 10 failed sign-ins per account or proof, 30 per IP address, and 30 wrong codes per
 * IP address (300 per /48).
 */
export class SignInThrottle {
  private readonly accounts: FailureLimiter;
  private readonly proofs: FailureLimiter;
  private readonly addresses: FailureLimiter;
  private readonly codes: FailureLimiter;
  private readonly siteCodes: FailureLimiter;

  constructor(createCounter: AttemptCounters) {
    const limiterOf = (name: string, attempts: number): FailureLimiter =>
      new FailureLimiter(createCounter({ name, attempts, windowSeconds: WINDOW_SECONDS }));
    this.accounts = limiterOf('sign-ins-of-account', 10);
    this.proofs = limiterOf('uses-of-proof', 10);
    this.addresses = limiterOf('sign-ins-from-address', 30);
    this.codes = limiterOf('codes-from-address', 30);
    this.siteCodes = limiterOf('codes-from-site', 300);
  }

  /**
   * Runs an attempt to guess what was mailed to an address; it counts for the client alone, since the mail has tries of
   * its own.
   * @throws RateLimited after too many failures
   */
  async attemptCode<Result>(address: string, attempt: () => Promise<Result>): Promise<Result> {
    const site = siteOf(address);
    return this.codes.attempt(networkOf(address), () => (site ? this.siteCodes.attempt(site, attempt) : attempt()));
  }

  /**
   * Runs a sign-in with a proof of an identity provider. Failures are not counted per user: anybody can name any user,
   * and could lock them out.
   * @param proof the id token or signature as it was sent; undefined if the request has none
   * @throws RateLimited after too many failures, before the proof is looked at
   */
  async attemptProof<Result>(
    proof: string | undefined,
    address: string,
    signIn: () => Promise<Result>,
  ): Promise<Result> {
    const attempt = (): Promise<Result> => this.addresses.attempt(networkOf(address), signIn);
    return proof === undefined ? attempt() : this.proofs.attempt(proof, attempt);
  }

  /**
   * Runs a sign-in by a password; existing and unknown accounts are treated alike.
   * @param account the email address in lower case
   * @param address the client's IP address
   * @throws RateLimited after too many failures, before the password is looked at
   */
  async attempt<Result>(account: string, address: string, signIn: () => Promise<Result>): Promise<Result> {
    return this.accounts.attempt(account, () => this.addresses.attempt(networkOf(address), signIn));
  }
}
