import {
  BadRequest,
  BadUpstream,
  Conflict,
  ContentBlocked,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  PlatformError,
  QuotaExceeded,
  RateLimited,
  StorageExceeded,
  Unavailable,
  UpstreamTimeout,
} from '../../../errors.js';
import { toFileFailure } from '../../../platform/extraction/file-failure.js';
import type { FileFailure } from '../../../platform/extraction/file-failure.js';

/** How long is waited at most because somebody says so, in seconds. */
const LONGEST_TOLD_SECONDS = 300;

/** Errors whose messages are this server's own sentences. Those of a model server come as a plain PlatformError. */
const OWN = [
  BadRequest,
  BadUpstream,
  ContentBlocked,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  QuotaExceeded,
  RateLimited,
  StorageExceeded,
  Unavailable,
  UpstreamTimeout,
] as const;

const TOO_LONG = 'A text of the document is too long for the model.';
const NOT_SERVED = 'The model does not serve what is wanted of the document.';

/** What a failure means for a document. */
export interface TranslationFailure extends FileFailure {
  /** How long is to be waited, where that is told. */
  readonly retrySeconds: number;
}

/**
 * What went wrong with a document; undefined for what is none of its business. What it says is stored: it has nothing of a
 * model server's own message, which may repeat the texts.
 */
export function failureOf(error: unknown): TranslationFailure | undefined {
  const failure = toFileFailure(error);
  if (!failure || !(error instanceof PlatformError)) return failure && { ...failure, retrySeconds: 0 };
  // A quota is not waited for: nobody knows for how long.
  const isTransient = failure.isTransient && !(error instanceof QuotaExceeded);
  return { message: sentenceOf(error), isTransient, retrySeconds: retrySecondsOf(error) };
}

/** Whether a limit or an engine says that there are too many calls at the moment. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error instanceof QuotaExceeded) return false;
  return error.status === 429 || error.status === 503;
}

function sentenceOf(error: PlatformError): string {
  const isOwn = OWN.some((kind) => error instanceof kind) || (error instanceof Conflict && isOfPolicy(error));
  if (isOwn) return error.message;
  if (error.code === 'capability_not_supported') return NOT_SERVED;
  if (error.status === 413 || error.details.reason === 'context_length_exceeded') return TOO_LONG;
  if (error.status === 429) return 'The model server is busy (429).';
  return `The model server ${error.status < 500 ? 'refused the request' : 'failed'} (${error.status}).`;
}

function isOfPolicy({ code }: PlatformError): boolean {
  return code === 'model_not_allowed';
}

function retrySecondsOf({ headers }: PlatformError): number {
  const told = Number(headers['retry-after'] ?? 0);
  return Number.isFinite(told) ? Math.min(Math.max(0, told), LONGEST_TOLD_SECONDS) : 0;
}
