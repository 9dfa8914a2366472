import { ContentBlocked } from '../errors.js';
import { MatchLimitExceeded } from './matching/match-limit-exceeded.js';
import { ScanTimeout } from './scan-timeout.js';

const NOT_EVALUATED = 'The sanitizer policies could not be evaluated for this content, so it may not pass.';

/** What cannot be decided does not pass; any other failure is what it was. */
export function toRefusal(error: unknown): unknown {
  const isUndecided = error instanceof MatchLimitExceeded || error instanceof ScanTimeout;
  return isUndecided ? new ContentBlocked(NOT_EVALUATED) : error;
}
