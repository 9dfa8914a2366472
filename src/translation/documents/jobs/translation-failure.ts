import { PlatformError, QuotaExceeded } from '../../../errors.js';
import { toFileFailure } from '../../../platform/extraction/file-failure.js';
import type { FileFailure } from '../../../platform/extraction/file-failure.js';

/** How long is waited at most because somebody says so, in seconds. */
const LONGEST_TOLD_SECONDS = 300;

/** What a failure means for a document. */
export interface TranslationFailure extends FileFailure {
  /** How long is to be waited, where that is told. */
  readonly retrySeconds: number;
}

/** What went wrong with a document; undefined for what is none of its business. Its message is stored. */
export function failureOf(error: unknown): TranslationFailure | undefined {
  const failure = toFileFailure(error);
  if (!failure || !(error instanceof PlatformError)) return failure && { ...failure, retrySeconds: 0 };
  // A quota is not waited for: nobody knows for how long.
  const isTransient = failure.isTransient && !(error instanceof QuotaExceeded);
  return { message: failure.message, isTransient, retrySeconds: retrySecondsOf(error) };
}

/** Whether a limit or an engine says that there are too many calls at the moment. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error instanceof QuotaExceeded) return false;
  return error.status === 429 || error.status === 503;
}

function retrySecondsOf({ headers }: PlatformError): number {
  const told = Number(headers['retry-after'] ?? 0);
  return Number.isFinite(told) ? Math.min(Math.max(0, told), LONGEST_TOLD_SECONDS) : 0;
}
