import { setTimeout as sleep } from 'node:timers/promises';
import { FairSlots } from '../../async/fair-slots.js';
import { systemCode } from '../../operational-error.js';
import { DETECTION_BYTES, detectType, mayBeText } from '../../extraction/detect-type.js';
import { egressRule } from '../egress-rule.js';
import type { PortRange } from '../egress-rule.js';
import type { OriginResponse } from '../exchange.js';
import { readBody } from './answer-body.js';
import type { BodyLimits } from './answer-body.js';
import { codingOf, contentLengthOf, contentTypeOf, headerOf, retryAfterOf } from './answer-head.js';
import { FetchClock } from './fetch-clock.js';
import { PageConnections } from './page-connections.js';
import { PageRefused } from './page-refused.js';
import type { FetchedPage, FetchOptions, PageType } from './page.types.js';
import { hostOf, toPageUrl } from './page-url.js';
import { RequestTurns } from './request-turns.js';
import { ROBOTS_BYTES, RobotsFiles } from './robots-files.js';
import type { RobotsAnswer } from './robots-files.js';

/** The most of a page, in bytes. */
const PAGE_BYTES = 5 * 1024 * 1024;
const SECONDS = 20;
const REDIRECTS = 5;
/** How often a page is asked for again that its host has asked to wait for. */
const RETRIES = 3;
const REQUESTS = { places: 32, perOwner: 16, waiting: 1_000, waitingForHost: 100 };
/** Bodies at once that are larger than every one may be. */
const LARGE_BODIES = { slots: 6, perOwner: 3, waiting: 1_000, refusal: () => new PageRefused('host_busy') };
/** The body of an answer that is not a page is read over up to so many bytes, so that its connection can go on. */
const DROPPED_BYTES = 64 * 1024;

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const BUSY_STATUSES = new Set([429, 503]);

/** How pages are fetched. */
export interface PageFetcherOptions {
  /** The name by which hosts know this program, of letters, `-` and `_`; robots.txt files may name it. */
  readonly name: string;
  /** Behind the name, for people: `1.0 (+https://example.org/bot)`. */
  readonly version: string;
  /** Addresses or CIDRs that are not public and may be connected to all the same. */
  readonly egressAllow: readonly string[];
  /** As `egressRule` takes them. */
  readonly egressPorts?: readonly PortRange[] | undefined;
  /** Such as `127.0.0.1:53`; default: the system's. */
  readonly nameServers?: readonly string[];
}

/** One fetch: its deadline, and on whose behalf it is. */
interface Run {
  readonly clock: FetchClock;
  readonly owner: string;
}

/** What a request has come to: another URL, or what `read` has made of the answer. */
type Outcome<T> = { readonly location: string } | { readonly result: T };

/** Where the large bodies wait, and what is read of them. */
type Limits = Omit<BodyLimits, 'makeRoom'>;

/**
 * Fetches pages of the web that anybody may have named: over http and https, from public addresses alone, as their hosts
 * want it, within bounds of time and size.
 */
export class PageFetcher {
  private readonly connections: PageConnections;
  private readonly robots: RobotsFiles;
  private readonly turns = new RequestTurns(REQUESTS);
  private readonly largeBodies = new FairSlots(LARGE_BODIES);

  constructor({ name, version, egressAllow, egressPorts, nameServers }: PageFetcherOptions) {
    const rule = egressRule(egressAllow, egressPorts);
    this.connections = new PageConnections(`${name}/${version}`, rule, nameServers);
    this.robots = new RobotsFiles(name.toLowerCase(), (url, options, read) => {
      return this.within(options, (run) => this.fetchRobots(url, run, read));
    });
  }

  /**
   * Fetches a page, and follows its redirects; every URL on the way is checked like the first one. It waits for its turn
   * at the host for a minute at most.
   * @throws PageRefused with a reason; the reason of the signal
   */
  fetch(url: string, options: FetchOptions): Promise<FetchedPage> {
    return this.within(options, async (run) => {
      const page = await this.follow(toPageUrl(url), async (target) => {
        const delayMs = await this.askRobots(target, run);
        return this.request(target, run, delayMs, (answer) => this.readPage(answer, run));
      });
      return { url, finalUrl: page.url.href, ...page.result, fetchedAt: new Date() };
    });
  }

  /** Ends all fetches and connections. */
  async close(): Promise<void> {
    this.robots.close();
    await this.connections.close();
  }

  private async within<T>(
    { signal, seconds = SECONDS, owner = '' }: FetchOptions,
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    const clock = new FetchClock(signal, seconds);
    try {
      clock.signal.throwIfAborted();
      return await work({ clock, owner });
    } catch (error) {
      throw clock.signal.aborted ? clock.signal.reason : toRefusal(error);
    } finally {
      clock.close();
    }
  }

  /** @throws PageRefused too_many_redirects */
  private async follow<T>(first: URL, ask: (url: URL) => Promise<Outcome<T>>): Promise<{ url: URL; result: T }> {
    let url = first;
    for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
      const outcome = await ask(url);
      if ('result' in outcome) return { url, result: outcome.result };
      url = toPageUrl(outcome.location, url);
    }
    throw new PageRefused('too_many_redirects');
  }

  /** @returns the pause behind a request, in milliseconds @throws PageRefused robots */
  private async askRobots(url: URL, { clock, owner }: Run): Promise<number> {
    // Also where its robots.txt is known, which may have come when the rule was another.
    this.connections.check(url);
    return await this.robots.ask(url, owner, clock.signal);
  }

  /** Sends one request, again where the host wants it later and that is in time. */
  private async request<T>(
    url: URL,
    run: Run,
    delayMs: number,
    read: (answer: OriginResponse) => Promise<T>,
  ): Promise<Outcome<T>> {
    const { clock } = run;
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.requestOnce(url, run, delayMs, read);
      if (!('status' in outcome)) return outcome;
      const { status, retryMs } = outcome;
      const isLater = retryMs !== undefined && tries < RETRIES && retryMs < clock.leftMs;
      if (!isLater) throw new PageRefused('http_error', status);
      await sleep(retryMs, undefined, { signal: clock.signal, ref: false });
    }
  }

  private async requestOnce<T>(
    url: URL,
    { clock, owner }: Run,
    delayMs: number,
    read: (answer: OriginResponse) => Promise<T>,
  ): Promise<Outcome<T> | { readonly status: number; readonly retryMs: number | undefined }> {
    const { signal } = clock;
    const host = hostOf(url);
    const endTurn = await clock.waiting(() => this.turns.take(host, owner, signal));
    try {
      const answer = await this.connections.get(url, signal);
      const { status, headers } = answer;
      if (status >= 200 && status < 300) return { result: await read(answer).finally(() => answer.body.cancel()) };
      drop(answer);
      const location = REDIRECT_STATUSES.has(status) ? headerOf(headers, 'location') : undefined;
      if (location !== undefined) return { location };
      const retryMs = BUSY_STATUSES.has(status) ? retryAfterOf(headers, Date.now()) : undefined;
      if (retryMs !== undefined) this.turns.pause(host, retryMs);
      return { status, retryMs };
    } finally {
      this.turns.pause(host, delayMs);
      endTurn();
    }
  }

  private async readPage(
    answer: OriginResponse,
    run: Run,
  ): Promise<Pick<FetchedPage, 'status' | 'mediaType' | 'charset' | 'body'>> {
    const { status, headers } = answer;
    const { mediaType, charset } = contentTypeOf(headers) ?? {};
    const body = await this.readBody(answer, run, { bytes: PAGE_BYTES });
    return { status, body, charset, mediaType: await pageTypeOf(body, mediaType, charset) };
  }

  private async readBody(answer: OriginResponse, { clock, owner }: Run, limits: Limits): Promise<Buffer> {
    const coding = codingOf(answer.headers);
    if (!limits.isCut && (contentLengthOf(answer.headers) ?? 0) > limits.bytes) throw new PageRefused('too_large');
    let release: (() => void) | undefined;
    try {
      return await readBody(answer.body, coding, {
        ...limits,
        makeRoom: async () => {
          release = await this.largeBodies.take(owner, clock.signal);
        },
      });
    } finally {
      release?.();
    }
  }

  private async fetchRobots<T>(url: URL, run: Run, read: (body: Buffer) => Promise<T>): Promise<RobotsAnswer<T>> {
    try {
      const { result } = await this.follow(url, (target) =>
        this.request(target, run, 0, async (answer) => ({
          status: answer.status,
          // Within the turn: there are no more bodies at once than requests.
          content: await read(await this.readBody(answer, run, { bytes: ROBOTS_BYTES, isCut: true })),
        })),
      );
      return result;
    } catch (error) {
      if (error instanceof PageRefused && error.status !== undefined) return { status: error.status };
      throw error;
    }
  }
}

/**
 * What a page is by its content; what its head says chooses among kinds of text alone.
 * @throws PageRefused unsupported_type
 */
async function pageTypeOf(body: Buffer, said: PageType | undefined, charset: string | undefined): Promise<PageType> {
  const head = body.subarray(0, DETECTION_BYTES);
  const found = await detectType(head, '').catch(() => undefined);
  // What is none is damaged for whoever reads it.
  if (found?.kind === 'pdf' || said === 'application/pdf') return 'application/pdf';
  const isText = found === undefined ? mayBeText(head, charset) : found.kind === 'html' || found.kind === 'text';
  if (said !== undefined && isText) return said;
  if (found?.kind === 'html') return 'text/html';
  if (found?.kind === 'text') return 'text/plain';
  throw new PageRefused('unsupported_type');
}

function drop({ headers, body }: OriginResponse): void {
  if ((contentLengthOf(headers) ?? Number.POSITIVE_INFINITY) <= DROPPED_BYTES) body.release();
  else body.cancel();
}

/** The refusal that an error of a request means. */
function toRefusal(error: unknown): unknown {
  if (error instanceof PageRefused) return error;
  const { cause } = Object(error) as { cause?: unknown };
  const code = systemCode(cause);
  if (code === 'EACCES') return new PageRefused('blocked_address', undefined, { cause });
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new PageRefused('too_large', undefined, { cause });
  if (code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') return new PageRefused('timeout', undefined, { cause });
  return new PageRefused('unreachable', undefined, { cause: error });
}
