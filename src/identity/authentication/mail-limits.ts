import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Client } from '../../access/client.js';
import { RateLimited } from '../../errors.js';
import type { AttemptCounters } from './attempt-limiters.js';
import { networkOf, siteOf } from '../../platform/net/client-network.js';

const HOUR_SECONDS = 3_600;
/** Mails to one address. */
const MAILS = 5;
/** Mails that one client may cause, to whatever addresses: a whole office may share an address. */
const MAILS_OF_CLIENT = 300;
/** The same of all networks of a site. */
const MAILS_OF_SITE = 3_000;
const TOO_MANY = 'Too many mails were asked for from here. Please try again later.';
/** How often a client may ask whether an address can register, in a minute. */
const QUESTIONS = 60;

/** Bounds what strangers can cause: mails, and questions about addresses. Known and unknown addresses count alike. */
export class MailLimits {
  private readonly addresses: RateLimiterAbstract;
  private readonly clients: RateLimiterAbstract;
  private readonly sites: RateLimiterAbstract;
  private readonly questions: RateLimiterAbstract;

  constructor(createCounter: AttemptCounters) {
    this.addresses = createCounter({ name: 'mails-to-address', attempts: MAILS, windowSeconds: HOUR_SECONDS });
    this.clients = createCounter({ name: 'mails-of-client', attempts: MAILS_OF_CLIENT, windowSeconds: HOUR_SECONDS });
    this.sites = createCounter({ name: 'mails-of-site', attempts: MAILS_OF_SITE, windowSeconds: HOUR_SECONDS });
    this.questions = createCounter({ name: 'registration-questions', attempts: QUESTIONS, windowSeconds: 60 });
  }

  /**
   * To be called before a mail is sent.
   * @param email as `normalizeEmail` gives it
   * @throws RateLimited
   */
  async countMail({ address }: Client, email: string): Promise<void> {
    const site = siteOf(address);
    if (site) await count(this.sites, site, TOO_MANY);
    await count(this.clients, networkOf(address), TOO_MANY);
    await count(this.addresses, email, 'Too many mails were sent to this address. Please try again later.');
  }

  /** @throws RateLimited for a client that asks about too many addresses */
  async countQuestion({ address }: Client): Promise<void> {
    await count(this.questions, networkOf(address), 'Too many questions. Please try again later.');
  }
}

async function count(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const resetSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new RateLimited(message, { limit: limiter.points, remaining: 0, resetSeconds });
  }
}
