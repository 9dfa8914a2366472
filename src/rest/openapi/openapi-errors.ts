import {
  BadRequest,
  BadUpstream,
  Conflict,
  ContentBlocked,
  Forbidden,
  IdempotencyConflict,
  InternalError,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  QuotaExceeded,
  RateLimited,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType,
  UpstreamTimeout,
} from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import { isRepeatable } from '../endpoint.js';
import type { Endpoint } from '../endpoint.js';
import type { Json } from './openapi-portable.js';

const RATE = { limit: 600, remaining: 0, resetSeconds: 17 };

/** Each status with the errors that it may stand for: their bodies are the examples, their headers the headers. */
const ERRORS: Readonly<Record<number, readonly [name: string, description: string, ...PlatformError[]]>> = {
  400: [
    'BadRequest',
    'The request is at fault; `param` names the field.',
    new BadRequest('email is required.', 'email'),
  ],
  401: [
    'Unauthorized',
    'No credential, or one that does not count.',
    new Unauthorized(),
    new Unauthorized('The token has expired.', 'token_expired'),
  ],
  403: [
    'Forbidden',
    'The role, scope or privilege is missing, or a token came over a connection without TLS.',
    new Forbidden('This needs the privilege admin.'),
  ],
  404: [
    'NotFound',
    'It does not exist, or its existence is none of the caller’s business.',
    new NotFound(),
    new NotFound('The model none does not exist.', 'model_not_found'),
  ],
  405: ['MethodNotAllowed', 'The path exists, the method does not.', new MethodNotAllowed(['GET', 'HEAD'])],
  409: [
    'Conflict',
    'The request contradicts what is.',
    new Conflict('capability_not_supported', 'The model builtin-hash-embedding does not chat.', 'model'),
    new Conflict('model_not_allowed', 'The model company-chat is not allowed here.', 'model'),
    new IdempotencyConflict('idempotency_mismatch'),
    new IdempotencyConflict('idempotency_in_progress'),
    new IdempotencyConflict('idempotency_not_replayable'),
  ],
  413: ['PayloadTooLarge', 'The body is larger than the configured limit.', new PayloadTooLarge(10_485_760)],
  415: [
    'UnsupportedMediaType',
    'The body has a content type or encoding that this path does not read.',
    new UnsupportedMediaType('Send the body as application/json.'),
  ],
  422: [
    'UnprocessableContent',
    'The content is refused.',
    new ContentBlocked('A sanitizer policy does not let this content pass: it has data of the kind email.'),
  ],
  429: [
    'RateLimited',
    'Too many requests or sign-ins, too much at once, or the quota is used up. Waiting as long as `retry-after` says is enough.',
    new RateLimited('Too many requests.', RATE),
    new QuotaExceeded('The quota of this month is used up.', RATE),
  ],
  500: ['InternalError', 'Our fault. Retry with backoff.', new InternalError()],
  502: [
    'BadUpstream',
    'A model server is unreachable or its answer makes no sense.',
    new BadUpstream('The model server cannot be reached.'),
  ],
  503: [
    'Unavailable',
    'A part is down, or the server is shutting down.',
    new Unavailable('The server is shutting down.'),
  ],
  504: [
    'UpstreamTimeout',
    'A model server did not answer in time.',
    new UpstreamTimeout('The model server did not answer in time.'),
  ],
};

/** A reference to a response header by its name. */
export function headerReferences(names: Iterable<string>): Json {
  return Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The error answers as components, by their names. */
export function errorResponses(): Record<string, Json> {
  return Object.fromEntries(
    Object.values(ERRORS).map(([name, description, ...errors]) => {
      const headers = new Set(['x-request-id', ...errors.flatMap((error) => Object.keys(error.headers))]);
      const examples = Object.fromEntries(
        errors.map((error) => [error.details.reason ?? error.code, { value: error.toBody() }]),
      );
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' }, examples } };
      return [name, { description, headers: headerReferences(headers), content }];
    }),
  );
}

/** The errors that an endpoint can answer: by its kind, and what its document adds. */
export function errorsOf(endpoint: Endpoint): Json {
  const { method, bindings, access, errors } = endpoint;
  const rule = access.rule;
  const statuses = new Set([403, 500, 503, ...errors]);
  const add = (when: boolean | undefined, ...more: number[]) => when && more.forEach((status) => statuses.add(status));
  add(
    bindings.some(({ source }) => source !== 'path'),
    400,
  );
  add(method !== 'GET', 400, 413, 415);
  // What a caller has at once is bounded wherever there is one.
  add(rule !== undefined, 401, 429);
  // An Idempotency-Key that was used for something else.
  add(isRepeatable(endpoint), 409);
  add(
    bindings.some(({ source }) => source === 'path'),
    404,
  );
  // A call of a model passes on what its server refuses.
  add(rule?.metered !== undefined, 404, 409, 422, 502, 504);
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const name = ERRORS[status]?.[0];
      if (!name) throw new Error(`There is no error with the status ${status}.`);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
