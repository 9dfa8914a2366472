/** A page as its host has sent it. */
export interface FetchedPage {
  /** As it was asked for. */
  readonly url: string;
  /** Where it was in the end, without a fragment. */
  readonly finalUrl: string;
  /** From 200 to 299. */
  readonly status: number;
  readonly mediaType: PageType;
  /** What the head says, as it says it. */
  readonly charset: string | undefined;
  /** Without its content coding; at most 5 MiB. */
  readonly body: Buffer;
  readonly fetchedAt: Date;
}

/** What is fetched. */
export type PageType = 'text/html' | 'application/xhtml+xml' | 'text/plain' | 'application/pdf';

/** How a page is fetched. */
export interface FetchOptions {
  /** Aborting it ends everything at once; its reason is what the caller sees. */
  readonly signal: AbortSignal;
  /** For all requests together, without the time in which others have their turn; default: 20. */
  readonly seconds?: number;
  /** On whose behalf, such as the id of a user: owners take turns where they want something of the same host. */
  readonly owner?: string;
}
