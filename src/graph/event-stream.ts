/**
 * What a stream resolver returns: one answer with two views, of which exactly one is read.
 * By event, for GraphQL; by batch, for Server-Sent Events: whole frames as they came in one upstream read.
 *
 * Nothing is opened before the first `next()`, which is called again only after its last promise has settled. `return()`
 * may be called at any time, also while a `next()` is pending: it closes the upstream at once, so that the pending call
 * settles as done.
 */
export interface EventStream<T> extends AsyncIterableIterator<T> {
  /** Whether what came last was the end of a whole answer, and is recorded as such. */
  readonly isWhole: boolean;
  /** The answer as bytes of `text/event-stream`, its end mark included. */
  batches(): AsyncIterableIterator<Uint8Array>;
}
