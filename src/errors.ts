import { GraphQLError } from 'graphql';
import { rateHeaders } from './admission/reply.js';
import type { JsonObject } from './platform/json/json-object.js';
import type { RateState } from './platform/cluster/rate-state.js';

/** What an error tells beside its message; each field is sent as it is named here, but for `headers` and `isQuoted`. */
export interface ErrorDetails {
  /** The REST name of the field at fault. */
  readonly param?: string;
  /** A word that a client may act on, such as `token_expired`. */
  readonly reason?: string;
  /** What is there instead of what the caller took for it, with REST names. */
  readonly current?: JsonObject;
  /** Extra response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the message is another server's, which may repeat whatever it was sent. */
  readonly isQuoted?: boolean;
}

/** Where in a GraphQL document something is at fault, as GraphQL's own errors have it. */
export type ErrorPlaces = Partial<Pick<GraphQLError, 'nodes' | 'source' | 'positions'>>;

/** The error object of every REST answer (docs/api.md, Errors). */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param?: string;
    readonly reason?: string;
    readonly current?: JsonObject;
  };
}

/**
 * An error that a client may see: its status, type and code are fixed by its class.
 * It extends GraphQLError, so that every GraphQL transport prints the same text and the same three fields.
 */
export class PlatformError extends GraphQLError {
  readonly details: ErrorDetails;

  constructor(
    readonly status: number,
    readonly type: string,
    readonly code: string,
    message: string,
    details: ErrorDetails = {},
    /** The places of a GraphQL document that are at fault. */
    places: ErrorPlaces = {},
  ) {
    super(message, { ...places, extensions: { type, code, status, ...publicDetails(details) } });
    this.details = details;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.details.headers ?? {};
  }

  /** The body of the REST answer, and of the last event of a broken stream. */
  toBody(): ErrorBody {
    return {
      error: { message: this.message, type: this.type, code: this.code, ...publicDetails(this.details) },
    };
  }
}

function publicDetails(details: ErrorDetails): Omit<ErrorDetails, 'headers' | 'isQuoted'> {
  return {
    ...(details.param !== undefined && { param: details.param }),
    ...(details.reason !== undefined && { reason: details.reason }),
    ...(details.current !== undefined && { current: details.current }),
  };
}

/** 400: the request is at fault; `param` names the field. */
export class BadRequest extends PlatformError {
  constructor(message: string, param?: string, places?: ErrorPlaces) {
    super(400, 'invalid_request_error', 'bad_request', message, { param }, places);
  }
}

/** 401: no credential, or one that does not count. */
export class Unauthorized extends PlatformError {
  constructor(message = 'A valid bearer token is required.', reason?: 'token_expired' | 'token_revoked') {
    super(401, 'permission_error', 'unauthorized', message, { reason, headers: { 'www-authenticate': 'Bearer' } });
  }
}

/** 403: known, but not allowed. */
export class Forbidden extends PlatformError {
  constructor(message: string, reason?: string) {
    super(403, 'permission_error', 'forbidden', message, { reason });
  }
}

/** 404: it does not exist, or its existence is none of the caller's business. */
export class NotFound extends PlatformError {
  constructor(message = 'The resource does not exist.', code: 'not_found' | 'model_not_found' = 'not_found') {
    super(404, 'not_found_error', code, message);
  }
}

/** 405: the path exists, the method does not; `allow` lists the methods that do. */
export class MethodNotAllowed extends PlatformError {
  constructor(allow: readonly string[]) {
    const methods = allow.join(', ');
    super(405, 'invalid_request_error', 'method_not_allowed', `This path answers ${methods} only.`, {
      headers: { allow: methods },
    });
  }
}

/** 406: what the client accepts is not what the path answers. */
export class NotAcceptable extends PlatformError {
  constructor(message: string) {
    super(406, 'invalid_request_error', 'not_acceptable', message);
  }
}

/** An operation that is asked for by a hash which is not known. Clients know this message and this code, and no others. */
export class PersistedQueryNotFound extends PlatformError {
  constructor() {
    super(404, 'not_found_error', 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
  }
}

/** 409: the request contradicts what is. OpenAI's SDKs retry 409 unless told not to. */
export class Conflict extends PlatformError {
  constructor(
    code: 'conflict' | 'model_not_allowed' | 'capability_not_supported' | 'duplicate',
    message: string,
    param?: string,
  ) {
    super(409, 'conflict_error', code, message, { param, headers: { 'x-should-retry': 'false' } });
  }
}

/** 409: somebody has changed it meanwhile; `current` is how it is now. */
export class Outdated extends PlatformError {
  constructor(message: string, current: JsonObject) {
    super(409, 'conflict_error', 'conflict', message, { current, headers: { 'x-should-retry': 'false' } });
  }
}

/** 409: what a tenant or a user may store is used up; waiting does not help, deleting does. */
export class StorageExceeded extends PlatformError {
  constructor(message: string) {
    super(409, 'conflict_error', 'conflict', message, {
      reason: 'storage_exceeded',
      headers: { 'x-should-retry': 'false' },
    });
  }
}

/** 422: a sanitizer policy does not let the content pass. The message names kinds of data, and quotes nothing. */
export class ContentBlocked extends PlatformError {
  constructor(message: string) {
    super(422, 'invalid_request_error', 'content_blocked', message);
  }
}

const IDEMPOTENCY_CONFLICTS = {
  idempotency_mismatch: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still being answered.',
  idempotency_not_replayable:
    'The request with this Idempotency-Key was answered, and its answer is not kept for this credential any more.',
} as const;

/** 409: a key that was sent before, and whose answer cannot be told again, or not yet. */
export class IdempotencyConflict extends PlatformError {
  constructor(code: keyof typeof IDEMPOTENCY_CONFLICTS) {
    const headers: Record<string, string> =
      code === 'idempotency_in_progress'
        ? { 'x-should-retry': 'true', 'retry-after': '1' }
        : { 'x-should-retry': 'false' };
    super(409, 'conflict_error', code, IDEMPOTENCY_CONFLICTS[code], { headers });
  }
}

/** 413: larger than the configured limit. */
export class PayloadTooLarge extends PlatformError {
  /** @param what is too large; @param unit of the limit */
  constructor(limit: number, what = 'The body', unit = 'bytes') {
    super(413, 'invalid_request_error', 'payload_too_large', `${what} is larger than ${limit} ${unit}.`);
  }
}

/** 415: not a media type that this path reads. */
export class UnsupportedMediaType extends PlatformError {
  constructor(message: string) {
    super(415, 'invalid_request_error', 'unsupported_media_type', message);
  }
}

/** 408: the request did not arrive in time. */
export class RequestTimeout extends PlatformError {
  constructor() {
    super(408, 'invalid_request_error', 'bad_request', 'The request did not arrive in time.');
  }
}

/** 416: a range that a file does not have. */
export class RangeNotSatisfiable extends PlatformError {
  constructor(sizeBytes: number) {
    super(416, 'invalid_request_error', 'bad_request', `The file has ${sizeBytes} bytes.`, {
      param: 'range',
      headers: { 'content-range': `bytes */${sizeBytes}` },
    });
  }
}

/** 417: the client expects what this server does not do. */
export class ExpectationFailed extends PlatformError {
  constructor() {
    super(417, 'invalid_request_error', 'bad_request', 'The only expectation that is met is 100-continue.', {
      param: 'expect',
    });
  }
}

/** 431: the request line and the headers are too large together, or too many. */
export class HeadTooLarge extends PlatformError {
  constructor(message = 'The request line and the headers are too large.') {
    super(431, 'invalid_request_error', 'bad_request', message);
  }
}

/** 429: too many requests or sign-ins; waiting `resetSeconds` is enough. */
export class RateLimited extends PlatformError {
  constructor(message: string, state: RateState) {
    super(429, 'rate_limit_exceeded', 'rate_limit_exceeded', message, {
      headers: { 'retry-after': String(Math.max(1, state.resetSeconds)), ...rateHeaders(state) },
    });
  }
}

/** 429: what a user or a tenant may have in progress at once is; waiting until some of it is done is enough. */
export class TooMuchAtOnce extends PlatformError {
  constructor(message: string, retryAfterSeconds: number) {
    super(429, 'rate_limit_exceeded', 'rate_limit_exceeded', message, {
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** 429: an enforced quota is used up until the period ends. */
export class QuotaExceeded extends PlatformError {
  constructor(message: string, state: RateState) {
    super(429, 'rate_limit_exceeded', 'rate_limit_exceeded', message, {
      reason: 'quota_exceeded',
      headers: {
        'retry-after': String(Math.max(1, state.resetSeconds)),
        'x-should-retry': 'false',
        ...rateHeaders(state),
      },
    });
  }
}

/** 500: our fault; says nothing internal. The cause goes to the log. */
export class InternalError extends PlatformError {
  constructor() {
    super(500, 'server_error', 'internal_error', 'The server could not answer. Please try again.');
  }
}

/** 502: a model server is unreachable or its answer makes no sense. */
export class BadUpstream extends PlatformError {
  /** @param param the field that was asked with, and was not answered */
  constructor(message: string, param?: string) {
    super(502, 'upstream_error', 'bad_upstream', message, { param });
  }
}

/** 504: a model server did not answer in time. */
export class UpstreamTimeout extends PlatformError {
  constructor(message: string) {
    super(504, 'upstream_error', 'upstream_timeout', message);
  }
}

/** 503: a dependency is down, or this server is draining. */
export class Unavailable extends PlatformError {
  constructor(message: string, retryAfterSeconds = 1) {
    super(503, 'server_error', 'unavailable', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
  }
}

/** The client went away (499 in the log); nobody reads an answer any more. */
export class ClientGone extends PlatformError {
  constructor() {
    super(499, 'client_closed_request', 'client_closed_request', 'The client closed the connection.');
  }
}
