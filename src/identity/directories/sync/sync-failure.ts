/** The error of a directory sync that cannot be finished, in words for its administrator; trying again would not help. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure';

  /** @param status how the sync ends */
  constructor(
    message: string,
    readonly status: 'failed' | 'refused' = 'failed',
  ) {
    super(message);
  }
}
