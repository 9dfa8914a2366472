import { GraphQLError } from 'graphql';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import type { Reply } from '../admission/reply.js';
import { BadRequest, InternalError, PlatformError, Unavailable } from '../errors.js';
import { isDatabaseUnavailable, isUnstorableText } from '../platform/database/postgres-errors.js';

/** What clients try again unless they are told otherwise. */
const RETRIED = new Set([409, 429, 503]);

/**
 * The error that a client may see for whatever was thrown. What is not ours becomes a bare 500 and one log line.
 * @param log of the request, with its id
 */
export function toPlatformError(error: unknown, log: Logger): PlatformError {
  const original = unwrap(error);
  if (original instanceof PlatformError) return original;
  // graphql-js gives an error a path only while executing: without one the request is at fault.
  if (original instanceof GraphQLError && !original.path) {
    return new BadRequest(withoutSuggestions(original.message), undefined, original);
  }
  if (isUnstorableText(original)) return new BadRequest('A text has a character that cannot be stored.');
  if (isDatabaseUnavailable(original)) {
    log.warn({ err: original }, 'the database did not answer');
    return new Unavailable('The database does not answer at the moment. Please try again.', 2);
  }
  log.error({ err: original }, 'a request failed for an unknown reason');
  return new InternalError();
}

/** A message of graphql-js without the names that it thinks may have been meant. */
export function withoutSuggestions(message: string): string {
  return message.replaceAll(/ ?Did you mean [^?]*\?/g, '');
}

/** The error as GraphQL transports print it: our three fields in `extensions`, nothing internal. */
export function formatGraphqlError(error: unknown, log: Logger): GraphQLFormattedError {
  const platformError = toPlatformError(error, log);
  const { locations, path } = error instanceof GraphQLError ? error.toJSON() : {};
  return {
    message: platformError.message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: platformError.extensions,
  };
}

/** A result in which every error is masked as above. */
export function maskResult(result: ExecutionResult, log: Logger): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const { message, extensions } = formatGraphqlError(error, log);
    return new GraphQLError(message, { nodes: error.nodes, path: error.path, extensions });
  });
  return { ...result, errors };
}

/** A result that names the fields which were left out of its request, as the header of a REST answer does. */
export function withOmittedFields<Result extends { extensions?: unknown }>(
  result: Result,
  { omittedFields }: Reply,
): Result {
  if (omittedFields.length === 0) return result;
  return { ...result, extensions: { ...Object(result.extensions), omittedFields } };
}

/** Puts on a reply what its errors say in headers: whether to come back, and when. */
export function setRetryHeaders(errors: readonly unknown[] | undefined, reply: Reply): void {
  for (const error of errors?.map(unwrap) ?? []) {
    if (error instanceof PlatformError && RETRIED.has(error.status)) reply.setAll(error.headers);
  }
}

function unwrap(error: unknown): unknown {
  let current = error;
  while (current instanceof GraphQLError && !(current instanceof PlatformError) && current.originalError) {
    current = current.originalError;
  }
  return current;
}
