/** What a request is called. */
export interface RequestIds {
  /** What the client calls it; absent where it does not. */
  readonly requestId?: string;
  /** The server's own id of it, a UUID. */
  readonly serverRequestId: string;
}

/** Where a request comes from. */
export interface Client extends RequestIds {
  /** The client's address, through trusted proxies only. */
  readonly address: string;
  /** What the client calls itself. */
  readonly userAgent?: string;
}

/** The id that a request goes by in its answer, in the log and in usage: the client's own where there is one. */
export function requestIdOf({ requestId, serverRequestId }: RequestIds): string {
  return requestId ?? serverRequestId;
}
