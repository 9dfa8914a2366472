import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { BadRequest, ClientGone, PayloadTooLarge, UnsupportedMediaType } from '../errors.js';
import type { BodyMemory } from './held-bodies.js';
import { findExcess, isDeeperThan, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';

/** Reading, checking and writing more takes so long that others would wait. */
const LIMITS = { depth: Number.POSITIVE_INFINITY, nodes: 200_000, items: 1_000_000 };
/** A shorter body cannot hold as many. */
const SHORT_BYTES = 100_000;

/**
 * Reads a JSON body. An absent body is `{}` and needs no content type.
 * @param memory where the body takes its memory from; one whose length is not told takes the most until it is read
 * @throws UnsupportedMediaType, PayloadTooLarge, BadRequest; what the memory throws
 */
export async function readJsonBody(
  request: IncomingMessage,
  limitBytes: number,
  memory?: BodyMemory,
): Promise<unknown> {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0)) return {};
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new UnsupportedMediaType(`The content encoding ${encoding} is not supported; send the body as it is.`);
  }
  // Before anything of it is read; only a chunked one may turn out to be absent, and then needs no type.
  if (length !== undefined || headers['content-type'] !== undefined) requireJson(headers['content-type']);
  memory?.take(Math.min(limitBytes, length === undefined ? limitBytes : Number(length)));
  const bytes = await readBytes(request, limitBytes, length);
  memory?.shrink(bytes.length);
  if (bytes.length === 0) return {};
  requireJson(headers['content-type']);
  return parseJson(bytes);
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new UnsupportedMediaType('Send the body as application/json.');
  }
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && charset.replaceAll('"', '') !== 'charset=utf-8') {
    throw new UnsupportedMediaType('Send the body in UTF-8.');
  }
}

async function readBytes(request: IncomingMessage, limit: number, length: string | undefined): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw new PayloadTooLarge(limit);
    if (type === 'request.aborted' || request.destroyed) throw new ClientGone();
    throw new BadRequest('The body could not be read.');
  }
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    // Keeps a byte order mark, which JSON.parse then refuses, and refuses what is no UTF-8.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadRequest('The body is not valid UTF-8.');
  }
  const excess = bytes.length > SHORT_BYTES ? findExcess(bytes, LIMITS) : undefined;
  if (excess === 'nodes') throw new BadRequest(`The body has more than ${LIMITS.nodes} lists, objects and members.`);
  if (excess === 'items') throw new BadRequest(`The body has more than ${LIMITS.items} items in all.`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new BadRequest('The body is not valid JSON.');
  }
  if (isDeeperThan(MAX_JSON_DEPTH, body)) {
    throw new BadRequest(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return body;
}
