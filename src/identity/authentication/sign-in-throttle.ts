import ipaddr from 'ipaddr.js';
import type { AttemptCounters } from './attempt-limiters.js';
import { FailureLimiter } from './failure-limiter.js';

const WINDOW_SECONDS = 15 * 60;

/** Slows down guessing of passwords: 10 failures an account and 30 an address in 15 minutes. */
export class SignInThrottle {
  private readonly accounts: FailureLimiter;
  private readonly addresses: FailureLimiter;

  constructor(createCounter: AttemptCounters) {
    const limiterOf = (name: string, attempts: number): FailureLimiter =>
      new FailureLimiter(createCounter({ name, attempts, windowSeconds: WINDOW_SECONDS }));
    this.accounts = limiterOf('sign-ins-of-account', 10);
    this.addresses = limiterOf('sign-ins-from-address', 30);
  }

  /**
   * Runs a sign-in; existing and unknown accounts are treated alike.
   * @param account the email address in lower case
   * @param address the client's IP address
   * @throws RateLimited after too many failures, before the password is looked at
   */
  async attempt<Result>(account: string, address: string, signIn: () => Promise<Result>): Promise<Result> {
    return this.accounts.attempt(account, () => this.addresses.attempt(networkOf(address), signIn));
  }
}

/** What an address counts as: whoever has one IPv6 address has the 2^64 around it, so they are one; IPv4 addresses count alone, in whatever form. */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
