import { PlatformError, QuotaExceeded } from '../../errors.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';
import { isUnstorableValue } from '../../platform/database/postgres-errors.js';
import { LAST_ATTEMPT } from '../../platform/jobs/job-delays.js';
import { readableText } from '../../platform/text/readable-text.js';
import { NothingTranscribed } from './transcription.js';

/** Why a run does not go on. */
export interface TranscriptionFailure {
  /** For people. */
  readonly message: string;
  /** A word, for the audit log. */
  readonly reason: string;
  /** Whether it goes on by itself when what it needs is back. */
  readonly isTransient: boolean;
  /** Whether nothing is wrong with the recording: what it needs is not there. */
  readonly isMissing: boolean;
}

const UNEXPLAINED =
  'The server failed at this recording. Please have it transcribed once more, and tell your administrator if it fails again.';
/** What this machine, or the tenant, does not have. */
const MISSING: ReadonlySet<string> = new Set(['capability_not_supported', 'model_not_allowed', 'model_not_found']);

/**
 * What a failure means for a run; undefined: another attempt may mend it.
 * @param attempt of the job, from 1
 */
export function failureOf(error: unknown, attempt: number): TranscriptionFailure | undefined {
  if (error instanceof AudioFailed) {
    const { message, reason } = error;
    return { message, reason, isTransient: reason === 'interrupted', isMissing: reason === 'needs_ffmpeg' };
  }
  if (error instanceof NothingTranscribed) return lasting(error.message, error.reason);
  if (error instanceof QuotaExceeded) return lasting(error.message, 'quota_exceeded');
  if (error instanceof PlatformError && error.status !== 499) {
    const isTransient = error.status >= 500 || error.status === 429;
    return {
      message: readableText(error.message),
      reason: error.code,
      isTransient,
      isMissing: MISSING.has(error.code),
    };
  }
  if (isUnstorableValue(error)) return UNEXPLAINED_FAILURE;
  return attempt < LAST_ATTEMPT ? undefined : UNEXPLAINED_FAILURE;
}

/** What is told of a run that nobody does any more. */
export const UNEXPLAINED_FAILURE: TranscriptionFailure = {
  message: UNEXPLAINED,
  reason: 'internal',
  isTransient: false,
  isMissing: false,
};

function lasting(message: string, reason: string): TranscriptionFailure {
  return { message, reason, isTransient: false, isMissing: false };
}
