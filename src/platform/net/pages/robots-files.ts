import { LRUCache } from 'lru-cache';
import { CooperativeYield } from '../../async/cooperative-yield.js';
import { unlessAborted } from '../../async/unless-aborted.js';
import { PageRefused } from './page-refused.js';
import type { RefusalReason } from './page-refused.js';
import { RobotsRules } from './robots-rules.js';

/** The most that is read of a robots.txt, in bytes. */
export const ROBOTS_BYTES = 500 * 1024;
/** How long one is remembered, in milliseconds; and that there was none because its host failed. */
const REMEMBERED_MS = 24 * 3_600_000;
const FAILURE_MS = 600_000;
/** So many are remembered, with so many bytes of rules, together and each. */
const HOSTS = 5_000;
const REMEMBERED_BYTES = 32 * 1024 * 1024;
const LONGEST_BYTES = 4 * 1024 * 1024;
/** How long one is waited for, in seconds, with its turns. */
const SECONDS = 20;

/** It is there, or elsewhere, and cannot be read. */
const UNREADABLE: ReadonlySet<RefusalReason> = new Set(['invalid_url', 'too_large', 'unsupported_encoding']);

/** Fetches a robots.txt. @returns what its host has answered; without a body where that is no success */
export type FetchRobots = (
  url: URL,
  options: { readonly signal: AbortSignal; readonly seconds: number; readonly owner: string },
) => Promise<{ readonly status: number; readonly body?: Buffer }>;

/** The robots.txt files of the hosts that are asked for pages, each fetched once a day. */
export class RobotsFiles {
  private readonly known = new LRUCache<string, RobotsRules>({
    max: HOSTS,
    maxSize: REMEMBERED_BYTES,
    maxEntrySize: LONGEST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: REMEMBERED_MS,
  });
  private readonly coming = new Map<string, Promise<RobotsRules>>();
  private readonly closing = new AbortController();

  /** @param token the name of this program, in lower case */
  constructor(
    private readonly token: string,
    private readonly fetch: FetchRobots,
  ) {}

  /**
   * What the host of a URL says to this program.
   * @throws PageRefused where its robots.txt cannot be fetched at all; the reason of the signal
   */
  rulesFor({ origin }: URL, owner: string, signal: AbortSignal): Promise<RobotsRules> {
    const known = this.known.get(origin);
    if (known) return Promise.resolve(known);
    const coming = this.coming.get(origin) ?? this.begin(origin, owner);
    return unlessAborted(coming, signal);
  }

  /** Ends what is being fetched. */
  close(): void {
    this.closing.abort();
  }

  /** Whoever has asked first may leave: the others still wait. */
  private begin(origin: string, owner: string): Promise<RobotsRules> {
    const coming = this.load(origin, owner).finally(() => this.coming.delete(origin));
    coming.catch(() => undefined);
    this.coming.set(origin, coming);
    return coming;
  }

  private async load(origin: string, owner: string): Promise<RobotsRules> {
    const { signal } = this.closing;
    const answer = await this.fetch(new URL('/robots.txt', origin), { signal, seconds: SECONDS, owner }).catch(
      (error: unknown) => {
        // Too many redirects are as good as no file; what is there and cannot be read may forbid everything.
        const reason = error instanceof PageRefused ? error.reason : undefined;
        if (reason === 'too_many_redirects') return { status: 404 };
        if (reason !== undefined && UNREADABLE.has(reason)) return { status: 500 };
        throw error;
      },
    );
    const rules = await this.toRules(answer);
    // One with more rules than are kept is fetched again each time.
    this.known.set(origin, rules, { ttl: rules === RobotsRules.closed ? FAILURE_MS : REMEMBERED_MS });
    return rules;
  }

  private async toRules({ status, body }: Awaited<ReturnType<FetchRobots>>): Promise<RobotsRules> {
    if (body === undefined) return status >= 400 && status < 500 ? RobotsRules.open : RobotsRules.closed;
    const text = new TextDecoder().decode(body);
    // A line that was cut off would forbid, or allow, more than it says.
    const end = body.length < ROBOTS_BYTES ? text.length : Math.max(0, text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    return new CooperativeYield(this.closing.signal).finish(RobotsRules.read(text.slice(0, end), this.token));
  }
}
