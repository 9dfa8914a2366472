import ipaddr from 'ipaddr.js';
import { FailureLimiter } from './failure-limiter.js';

const WINDOW_SECONDS = 15 * 60;

/** Slows down guessing of passwords: 10 failures an account and 30 an address in 15 minutes. */
export class SignInThrottle {
  private readonly accounts = new FailureLimiter(10, WINDOW_SECONDS);
  private readonly addresses = new FailureLimiter(30, WINDOW_SECONDS);

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

/** Whoever has one IPv6 address has the 2^64 around it, so they count as one; IPv4 addresses count alone, in whatever form. */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
