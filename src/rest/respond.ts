import type { ServerResponse } from 'node:http';
import { PlatformError } from '../errors.js';
import type { Reply } from '../admission/reply.js';
import { REDIRECT_STATUS } from './endpoint.js';
import type { Endpoint } from './endpoint.js';
import type { StoredResponse } from '../admission/stored-response.js';
import { endBeforeBody, isBodyWhole } from './drop-body.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a value as the JSON answer of an endpoint; an answer without content or that leads elsewhere has no body. */
export function sendJson(response: ServerResponse, status: number, reply: Reply, value: unknown): void {
  if (status === 204) {
    response.writeHead(status, reply.headers).end();
    return;
  }
  if (status === REDIRECT_STATUS) {
    response.writeHead(status, { ...reply.headers, 'content-length': 0 }).end();
    return;
  }
  // A text goes out in one write with its head.
  sendJsonBody(response, status, reply, JSON.stringify(value));
}

/** Sends JSON as it is written already; bytes are sent without being copied, so they must stay as they are. */
export function sendJsonBody(response: ServerResponse, status: number, reply: Reply, body: string | Buffer): void {
  response
    .writeHead(status, {
      ...reply.headers,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    })
    .end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends an answer again as it was the first time. */
export function sendReplay(response: ServerResponse, reply: Reply, stored: StoredResponse): void {
  const { 'content-type': type, ...headers } = stored.headers;
  response
    .writeHead(stored.status, {
      ...reply.headers,
      ...headers,
      ...(type !== undefined && { 'content-type': type, 'content-length': stored.body.length }),
      'idempotency-replayed': 'true',
    })
    .end(stored.body);
}

/** What is taken of a refused body where nothing else is said. */
const DROPPED_BYTES = 64 * 1024;

/**
 * Sends an error object (docs/api.md, Errors).
 * @param dropBytes how much of a body that is still arriving is taken and dropped, so that the client can read this
 */
export function sendError(response: ServerResponse, reply: Reply, error: PlatformError, dropBytes?: number): void {
  reply.setAll(error.headers);
  sendRefusal(response, error.status, reply, error.toBody(), dropBytes);
}

/** Sends an answer to a request whose body may still be arriving, as `sendError` does, with any value. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  reply: Reply,
  value: unknown,
  dropBytes = DROPPED_BYTES,
): void {
  if (isBodyWhole(response.req)) return sendJson(response, status, reply, value);
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...reply.headers,
    'content-type': JSON_TYPE,
    'content-length': body.length,
    // Unread bytes of a refused body would be taken for the next request.
    connection: 'close',
  });
  if (response.req.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  endBeforeBody(response, dropBytes);
}

/** A page of a connection, as a LIST document selects it. */
interface Page {
  readonly edges: readonly { readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The JSON of an endpoint from the value of its root field. */
export function shapeAnswer(endpoint: Endpoint, value: unknown): unknown {
  const answer = endpoint.raw === undefined ? value : (value as Record<string, unknown> | null)?.[endpoint.raw];
  if (endpoint.envelope !== 'LIST') return answer;
  if (Array.isArray(answer)) return { object: 'list', data: answer, has_more: false, next_cursor: null };
  const { edges, pageInfo } = answer as Page;
  return {
    object: 'list',
    data: edges.map((edge) => edge.node),
    has_more: pageInfo.hasNextPage,
    next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

/** The response headers that an endpoint's document asks for. */
export function headersOf({ location, redirect }: Endpoint, answer: unknown): Record<string, string> {
  const fields = answer as Readonly<Record<string, unknown>>;
  if (redirect !== undefined) return { location: String(fields[redirect]) };
  if (location === undefined) return {};
  return { location: location.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name]))) };
}

/** Names the field at fault as REST does: services know it by its GraphQL input path. */
export function withWireName(endpoint: Endpoint, error: PlatformError): PlatformError {
  const { param } = error.details;
  if (param === undefined) return error;
  const wireName = [...endpoint.wireNames].find(([path]) => path === param || path.endsWith(`.${param}`))?.[1];
  if (wireName === undefined || wireName === param) return error;
  const message = error.message.startsWith(param) ? wireName + error.message.slice(param.length) : error.message;
  const { status, type, code, details } = error;
  return new PlatformError(status, type, code, message, { ...details, param: wireName });
}
