import { LRUCache } from 'lru-cache';
import { CooperativeYield } from '../../async/cooperative-yield.js';
import { FairSlots } from '../../async/fair-slots.js';
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

/** What a host has answered that was asked for its robots.txt. */
export interface RobotsAnswer<T> {
  readonly status: number;
  /** What was made of its body; undefined where the answer is no success. */
  readonly content?: T;
}

/** Fetches a robots.txt, and has its body read while it still has its turn. */
export type FetchRobots = <T>(
  url: URL,
  options: { readonly signal: AbortSignal; readonly seconds: number; readonly owner: string },
  read: (body: Buffer) => Promise<T>,
) => Promise<RobotsAnswer<T>>;

/** One that is being fetched on behalf of one owner. */
interface Coming {
  readonly rules: Promise<RobotsRules>;
  /** Ends its fetch with what somebody else's has brought. */
  readonly settle: (rules: RobotsRules) => void;
}

/**
 * The robots.txt files of the hosts that are asked for pages, each fetched once a day. Each owner waits for one in its own
 * queue, and for nobody else's: whichever fetch is there first ends the others.
 */
export class RobotsFiles {
  private readonly known = new LRUCache<string, RobotsRules>({
    max: HOSTS,
    maxSize: REMEMBERED_BYTES,
    maxEntrySize: LONGEST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: REMEMBERED_MS,
  });
  /** By origin and owner. */
  private readonly coming = new Map<string, Map<string, Coming>>();
  /** Reading one takes many times its memory, and asking one of thousands of rules a part of a second. */
  private readonly computing = new FairSlots({ slots: 1 });
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
    const coming = this.coming.get(origin)?.get(owner) ?? this.begin(origin, owner);
    return unlessAborted(coming.rules, signal);
  }

  /**
   * Asks the host of a URL whether it may be fetched.
   * @returns the pause behind a request to the host, in milliseconds
   * @throws PageRefused `robots`, or why its robots.txt cannot be fetched at all; the reason of the signal
   */
  async ask(url: URL, owner: string, signal: AbortSignal): Promise<number> {
    const rules = await this.rulesFor(url, owner, signal);
    const isAllowed = await this.compute(owner, signal, () => rules.allows(url.pathname + url.search));
    if (!isAllowed) throw new PageRefused('robots');
    return rules.delayMs;
  }

  /** Ends what is being fetched. */
  close(): void {
    this.closing.abort();
  }

  /** Whichever page of the owner has asked first may leave: the others still wait. */
  private begin(origin: string, owner: string): Coming {
    const others = this.coming.get(origin) ?? new Map<string, Coming>();
    const { promise: told, resolve } = Promise.withResolvers<RobotsRules>();
    const isOver = new AbortController();
    const signal = AbortSignal.any([this.closing.signal, isOver.signal]);
    const fetched = this.load(origin, owner, signal).then((rules) => {
      for (const { settle } of others.values()) settle(rules);
      return rules;
    });
    const rules = Promise.race([told, fetched]).finally(() => {
      others.delete(owner);
      if (others.size === 0) this.coming.delete(origin);
      isOver.abort();
    });
    rules.catch(() => undefined);
    const coming = { rules, settle: resolve };
    others.set(owner, coming);
    this.coming.set(origin, others);
    return coming;
  }

  private async load(origin: string, owner: string, signal: AbortSignal): Promise<RobotsRules> {
    const url = new URL('/robots.txt', origin);
    const read = (body: Buffer): Promise<RobotsRules> => this.read(body, owner, signal);
    const answer = await this.fetch(url, { signal, seconds: SECONDS, owner }, read).catch((error: unknown) => {
      // Too many redirects are as good as no file; what is there and cannot be read may forbid everything.
      const reason = error instanceof PageRefused ? error.reason : undefined;
      if (reason === 'too_many_redirects') return { status: 404 };
      if (reason !== undefined && UNREADABLE.has(reason)) return { status: 500 };
      throw error;
    });
    const { status, content }: RobotsAnswer<RobotsRules> = answer;
    const rules = content ?? (status >= 400 && status < 500 ? RobotsRules.open : RobotsRules.closed);
    // One with more rules than are kept is fetched again each time.
    this.known.set(origin, rules, { ttl: rules === RobotsRules.closed ? FAILURE_MS : REMEMBERED_MS });
    return rules;
  }

  private read(body: Buffer, owner: string, signal: AbortSignal): Promise<RobotsRules> {
    return this.compute(owner, signal, () => {
      const text = new TextDecoder().decode(body);
      // A line that was cut off would forbid, or allow, more than it says.
      const end =
        body.length < ROBOTS_BYTES ? text.length : Math.max(0, text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      return RobotsRules.read(text.slice(0, end), this.token);
    });
  }

  /** Does steps when it is the owner's turn, and nobody else's meanwhile. */
  private async compute<T>(owner: string, signal: AbortSignal, steps: () => Generator<void, T>): Promise<T> {
    const release = await this.computing.take(owner, signal);
    try {
      return await new CooperativeYield(signal).finish(steps());
    } finally {
      release();
    }
  }
}
