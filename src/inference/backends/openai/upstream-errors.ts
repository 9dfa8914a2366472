import { BYOK_HEADER } from '../../../access/caller.js';
import { BadRequest, BadUpstream, Conflict, PlatformError, Unavailable } from '../../../errors.js';
import type { OriginResponse } from '../../../platform/net/egress.js';
import { CHUNK_JSON, excessOf } from '../../streaming/json-limits.js';
import { isJsonObject, objectsOf, textOr } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { isContextLength } from './context-length.js';
import { systemCode } from '../../../platform/operational-error.js';

/** Errors of a connection that was never there: nothing was sent. */
const NOT_CONNECTED = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CLOSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
]);

const MESSAGE_CHARACTERS = 2_000;
const LONGEST_RETRY_SECONDS = 3_600;

/** Refusals of a model server that are the client's to mend: status and message are its own, type and code ours. */
const REFUSALS: Readonly<Record<number, { readonly type: string; readonly code: string }>> = {
  400: { type: 'invalid_request_error', code: 'bad_request' },
  404: { type: 'not_found_error', code: 'not_found' },
  409: { type: 'conflict_error', code: 'conflict' },
  413: { type: 'invalid_request_error', code: 'payload_too_large' },
  422: { type: 'invalid_request_error', code: 'bad_request' },
};

/** Statuses from 400 to 499 that are about our key, our account, or how the server is doing; callers may cause some. */
const ABOUT_ACCOUNT = new Set([401, 402, 403, 404, 407, 408, 425]);
/** What servers call such errors where they tell no status. */
const ACCOUNT_NAMES = /auth|api_?key|permission|quota|billing/i;
/** Where something is in the operator's network: a server that fails tells of its own parts. */
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g;
const UNREADABLE_REFUSAL = 'The model server refuses the request, and does not say why.';

/**
 * What an answer whose status is not 200 is about: the `request`, so that another instance would answer the same;
 * `doubtful` where the server failed and says why, which some do for what they cannot digest; its `account` with us, or
 * what it thinks of the caller; that it is `busy`; or the `server` itself.
 */
type ErrorOrigin = 'request' | 'doubtful' | 'account' | 'busy' | 'server';

/** An answer whose status is not 200. */
export interface Refusal {
  readonly error: PlatformError;
  readonly fault: ErrorOrigin;
}

/** @param body as it came; pages of proxies and broken JSON say nothing */
export function toRefusal({ status, headers }: OriginResponse, body: Buffer): Refusal {
  if (status === 429 || status === 503) {
    const seconds = retryAfterSeconds(headers['retry-after']);
    return { error: new Unavailable('The model server is busy. Please try again.', seconds), fault: 'busy' };
  }
  const told = parse(body);
  const message = messageOf(told);
  // A 404 that says nothing is a page of whatever else is at that address.
  const unread = status !== 404 && REFUSALS[status] && { message: UNREADABLE_REFUSAL };
  const refused = refusal(status, message === undefined ? unread : told);
  if (refused) return { error: refused, fault: 'request' };
  if (message !== undefined && status === 500) return { error: explainedFailure(message), fault: 'doubtful' };
  if (message !== undefined && status === 501) {
    const { status: ours, type, code, details } = new Conflict('capability_not_supported', message);
    const error = new PlatformError(ours, type, code, message, { ...details, isQuoted: true });
    return { error, fault: 'doubtful' };
  }
  return { error: new BadUpstream('The model server failed.'), fault: faultOf(status) };
}

function faultOf(status: number): ErrorOrigin {
  if (status === 501) return 'doubtful';
  if (status < 400 || status > 499) return 'server';
  return ABOUT_ACCOUNT.has(status) ? 'account' : 'request';
}

/** What OpenAI's SDKs would send again twice, although the request is probably at fault. */
function explainedFailure(words: string): PlatformError {
  const message = words.replaceAll(ADDRESS, '*');
  return new PlatformError(502, 'upstream_error', 'bad_upstream', message, {
    headers: { 'x-should-retry': 'false' },
    isQuoted: true,
  });
}

/** The error for an upstream that refuses the caller's own key. */
export function refusedKey(): BadRequest {
  return new BadRequest('The model server refuses the key of this call.', BYOK_HEADER);
}

/** Whether an error is that of a connection that was never there. */
export function wasNotSent({ cause }: Error): boolean {
  return NOT_CONNECTED.has(systemCode(cause));
}

/** Seconds that an error asks to wait for; 1 where it says nothing. */
export function retrySecondsOf({ headers }: PlatformError): number {
  return Number(headers['retry-after'] ?? 1);
}

/**
 * The error for what an event, or an answer, says in place of what was asked for: as for a status where it tells one, else
 * that the server failed, in its own words.
 * @param error an object, or a text
 */
export function errorOfEvent(error: unknown): PlatformError {
  const [{ code, status: named, type } = {} as JsonObject] = objectsOf([error]);
  const told = code ?? named;
  const status = typeof told === 'number' || typeof told === 'string' ? Number(told) : Number.NaN;
  const refused = refusal(status, { error });
  if (refused) return refused;
  const message = messageOf({ error }) ?? messageOf(error);
  const isAboutAccount = ABOUT_ACCOUNT.has(status) || ACCOUNT_NAMES.test(`${textOr(type, '')} ${textOr(code, '')}`);
  return message === undefined || isAboutAccount
    ? new BadUpstream('The model server failed while it was answering.')
    : explainedFailure(message);
}

function refusal(told: number, body: unknown): PlatformError | undefined {
  const [{ param, type, code } = {} as JsonObject] = objectsOf(isJsonObject(body) ? [body.error, body] : []);
  const message = messageOf(body);
  const isTooLong = isContextLength({ type, code, message });
  const status = isTooLong ? 400 : told;
  const known = REFUSALS[status];
  if (!known || message === undefined) return undefined;
  return new PlatformError(status, known.type, known.code, message, {
    isQuoted: true,
    ...(typeof param === 'string' && { param }),
    ...(isTooLong && { reason: 'context_length_exceeded' }),
    ...(status === 409 && { headers: { 'x-should-retry': 'false' } }),
  });
}

/** `{error: {message}}`, and what other servers write instead. */
function messageOf(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const { error, message, detail } = body;
  const found = [isJsonObject(error) ? error.message : error, message, detail, fieldsOf(detail)].find(
    (candidate) => typeof candidate === 'string' && candidate !== '',
  );
  return (found as string | undefined)?.slice(0, MESSAGE_CHARACTERS);
}

/** What FastAPI says of the fields of a body: `[{loc: ['body', 'messages', 0], msg}]`. */
function fieldsOf(detail: unknown): string {
  return objectsOf(detail)
    .filter(({ msg }) => typeof msg === 'string')
    .map(({ loc, msg }) => {
      const steps = (Array.isArray(loc) ? loc : []).filter(
        (step) => typeof step === 'string' || typeof step === 'number',
      );
      const path = steps.filter((step) => step !== 'body').join('.');
      return path === '' ? msg : `${path}: ${String(msg)}`;
    })
    .join('; ');
}

function parse(body: Buffer): unknown {
  if (excessOf(body, CHUNK_JSON)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Seconds or a date; between 1 s and an hour. */
function retryAfterSeconds(header: string | string[] | undefined): number {
  const value = [header].flat()[0] ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Math.min(Math.max(Number.isNaN(seconds) ? 1 : seconds, 1), LONGEST_RETRY_SECONDS);
}
