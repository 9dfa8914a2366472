/**
 * Why a page was not fetched:
 * - `invalid_url`: not http or https, with a name or password in it, too long, or no URL at all
 * - `blocked_address`: an address or a port to which no connections go
 * - `robots`: its host does not want it fetched, or does not say whether it does
 * - `host_busy`: too many wait for its host already, or the host asks for a longer pause than anybody waits
 * - `server_busy`: too many pages of the same owner wait to be read already
 * - `timeout`: it was not there in time
 * - `too_large`: its head, or its body as it comes or decoded
 * - `unsupported_type`: neither HTML nor plain text nor PDF
 * - `unsupported_encoding`: a content coding that is not read, several at once, or one that is broken
 * - `too_many_redirects`
 * - `http_error`: an answer without a page, see `status`
 * - `unreachable`: no answer, or one that broke off or is no HTTP
 */
export type RefusalReason =
  | 'invalid_url'
  | 'blocked_address'
  | 'robots'
  | 'host_busy'
  | 'server_busy'
  | 'timeout'
  | 'too_large'
  | 'unsupported_type'
  | 'unsupported_encoding'
  | 'too_many_redirects'
  | 'http_error'
  | 'unreachable';

const SENTENCES: Readonly<Record<RefusalReason, string>> = {
  invalid_url: 'The URL is not one of a page that can be fetched.',
  blocked_address: 'The address of the page is not one that may be connected to.',
  robots: 'The host of the page does not want it fetched by programs.',
  host_busy: 'The host of the page has too much to do.',
  server_busy: 'Too many of your pages wait to be read.',
  timeout: 'The page did not come in time.',
  too_large: 'The page is too large.',
  unsupported_type: 'The page is neither HTML nor plain text nor PDF.',
  unsupported_encoding: 'The page is encoded in a way that is not read.',
  too_many_redirects: 'The page redirects too often.',
  http_error: 'The host answered without the page.',
  unreachable: 'The page cannot be reached.',
};

/** A page was not fetched. The message is a sentence for users, and holds nothing of the page or its host. */
export class PageRefused extends Error {
  constructor(
    readonly reason: RefusalReason,
    /** Of an `http_error`. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(SENTENCES[reason], options);
    this.name = 'PageRefused';
  }
}
