import type { PlatformError } from '../../errors.js';

/** Nothing could be searched. */
export class SearchFailed extends Error {
  constructor(override readonly cause: PlatformError) {
    super(cause.message);
  }
}
