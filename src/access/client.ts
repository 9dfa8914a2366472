/** Where a request comes from. */
export interface Client {
  /** The client's address, through trusted proxies only. */
  readonly address: string;
  /** What the client calls itself. */
  readonly userAgent?: string;
  /** What the client calls the request, where it does; else the server's own id. */
  readonly requestId: string;
  /** The server's own id of the request, a UUID. */
  readonly serverRequestId: string;
}
