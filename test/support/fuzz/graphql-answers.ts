import type { GivenAnswer } from '../probes/api-description.js';
import type { AnyJson } from '../probes/any-json.js';

/** What is wrong with an answer over HTTP to a GraphQL request, or to one that is none; undefined where nothing is. */
export function problemOfAnswer({ status, contentType, text }: GivenAnswer): string | undefined {
  const what = `${status} ${contentType ?? 'without a type'} ${text.slice(0, 300)}`;
  if (status >= 500) return `the server failed: ${what}`;
  if (contentType?.startsWith('text/event-stream')) return problemOfEvents(text);
  if (!/^application\/(graphql-response\+)?json/.test(contentType ?? '')) return `the answer is no JSON: ${what}`;
  try {
    const body = JSON.parse(text) as AnyJson;
    const problem = body?.error === undefined ? problemOfResult(body) : problemOfFields(body.error, false);
    return problem && `${problem}: ${what}`;
  } catch {
    return `the answer is no JSON: ${what}`;
  }
}

/** What is wrong with the result of an operation; undefined where nothing is. */
export function problemOfResult(result: AnyJson): string | undefined {
  if (typeof result !== 'object' || result === null) return 'the result is no object';
  if (result.errors === undefined) return result.data === undefined ? 'there are neither data nor errors' : undefined;
  return problemOfErrors(result.errors);
}

/** What is wrong with a list of GraphQL errors; undefined where nothing is. */
export function problemOfErrors(errors: AnyJson): string | undefined {
  if (!Array.isArray(errors) || errors.length === 0) return 'the errors are no list';
  for (const error of errors) {
    if (typeof error?.message !== 'string' || error.message === '') return 'an error has no message';
    const problem = problemOfFields(error.extensions, true);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfFields(fields: AnyJson, withStatus: boolean): string | undefined {
  // Clients know it by this code alone.
  if (fields?.code === 'PERSISTED_QUERY_NOT_FOUND') return undefined;
  if (typeof fields?.type !== 'string' || typeof fields.code !== 'string') return 'an error has no type or no code';
  if (withStatus && typeof fields.status !== 'number') return 'an error has no status';
  return fields.code === 'internal_error' ? 'the server failed' : undefined;
}

function problemOfEvents(text: string): string | undefined {
  for (const data of text.matchAll(/^event: next\ndata: (.*)\n\n/gm)) {
    const problem = problemOfResult(JSON.parse(data[1] ?? ''));
    if (problem !== undefined) return `${problem}: ${data[1]?.slice(0, 300)}`;
  }
  return undefined;
}
