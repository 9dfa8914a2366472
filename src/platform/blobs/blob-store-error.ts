/** An object store does not do what it is asked. The message names what it answered, and nothing of credentials. */
export class BlobStoreError extends Error {
  override readonly name = 'BlobStoreError';

  /** @param status that of the answer, where there was one */
  constructor(
    reason: string,
    readonly status?: number,
  ) {
    super(`The object store answers ${reason}${status === undefined ? '' : ` (${status})`}.`);
  }
}
