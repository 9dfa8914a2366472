import { ContentBlocked, PlatformError } from '../../errors.js';
import { ExtractionFailed } from './extraction-failed.js';

/** What a failure means for a file. */
export interface FileFailure {
  /** What its users are told. */
  readonly message: string;
  /** Whether it goes on by itself when what it needs is back. */
  readonly isTransient: boolean;
}

/**
 * What went wrong with a file; undefined for what is none of its business, such as a process that stops.
 * @param error what was thrown while it was read or stored
 */
export function toFileFailure(error: unknown): FileFailure | undefined {
  if (error instanceof ExtractionFailed) {
    return { message: error.message, isTransient: error.reason === 'interrupted' };
  }
  if (error instanceof ContentBlocked) return { message: error.message, isTransient: false };
  if (!(error instanceof PlatformError) || error.status === 499) return undefined;
  const isTransient = error.status >= 500 || error.status === 429;
  return { message: error.message, isTransient };
}
