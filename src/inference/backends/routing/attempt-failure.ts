/**
 * Why an attempt to get an answer may be repeated on another instance: `refused` where the instance did not begin to
 * work, `failed` where it does not take our account. The request itself may be at fault, so that one other instance may
 * be asked, where it is `doubtful` (the request was sent, and no byte of an answer came) or `rejected` (the instance said
 * why it failed).
 */
export type AttemptFailure = 'refused' | 'failed' | 'doubtful' | 'rejected';

const failures = new WeakMap<object, AttemptFailure>();

/** Marks an error as one after which another instance may be asked. */
export function retryable<E extends Error>(error: E, failure: AttemptFailure): E {
  failures.set(error, failure);
  return error;
}

/** How an attempt failed, where it may be repeated; undefined where it must not be. */
export function attemptFailureOf(error: unknown): AttemptFailure | undefined {
  return failures.get(Object(error) as object);
}
