import type { IncomingMessage, ServerResponse } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { Reply } from '../admission/reply.js';
import type { ReadableBlob } from '../platform/blobs/readable-blob.js';
import type { OperationAdmission } from '../admission/operation-admission.js';
import { ClientGone, NotFound, RangeNotSatisfiable } from '../errors.js';
import { noteCut } from './cut-answers.js';
import { drained } from './drained.js';

/** Bytes from `start` up to but not including `end`. */
interface Bytes {
  readonly start: number;
  readonly end: number;
}

/** What keeps a file that is made while it is sent. */
export type FileAdmission = Pick<OperationAdmission, 'complete' | 'record'>;

/** A range that asks for the last bytes. */
const LAST_BYTES = /(?<=[=,]\s*)-\s*(\d+)/g;
/** How a file is sent: as one to be stored, whatever is in it. */
const SAFE_HEADERS = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };

/**
 * Sends a file, or the range of it that is asked for (RFC 9110): GET and HEAD, one range, `ETag` by its SHA-256.
 * A file that cannot be sent to its end has no end: the connection is destroyed.
 * @param admission of the operation that makes the file while it is sent, and may be asked for it again
 * @throws RangeNotSatisfiable; NotFound where its bytes are gone; Unavailable; the signal's reason
 */
export async function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  blob: ReadableBlob,
  signal: AbortSignal,
  admission?: FileAdmission,
): Promise<void> {
  const { sizeBytes, sha256 } = blob;
  const etag = sha256 === undefined ? undefined : `"${sha256}"`;
  const ownHeaders = {
    ...SAFE_HEADERS,
    'content-disposition': contentDisposition(blob.filename),
    'content-type': blob.mediaType,
  };
  const headers = {
    ...reply.headers,
    ...ownHeaders,
    ...(etag && { etag }),
    ...(sizeBytes !== undefined && { 'accept-ranges': 'bytes' }),
  };
  if (etag && fresh(request.headers, { etag })) return void response.writeHead(304, headers).end();
  const range = sizeBytes === undefined ? undefined : rangeOf(request, sizeBytes, etag);
  const length = range ? range.end - range.start : sizeBytes;
  const partial = range && { 'content-range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` };
  const all = { ...headers, ...partial, ...(length !== undefined && { 'content-length': length }) };
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return void response.writeHead(status, all).end();
  const bytes = await blob.open({ ...range, signal });
  if (!bytes) throw new NotFound('The file does not exist.');
  const recorder = admission?.record(ownHeaders);
  await pipe(bytes, response, signal, {
    begin: () => response.writeHead(status, all),
    record: (part) => recorder?.record(part),
    complete: async () => recorder && admission?.complete(() => recorder.response),
  });
}

/** The one range that is asked for; undefined: all of it, as for several, what is none, and those of another version. */
function rangeOf({ headers, method }: IncomingMessage, sizeBytes: number, etag: string | undefined): Bytes | undefined {
  const { range } = headers;
  const condition = headers['if-range'];
  if (range === undefined || method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  // The last bytes of a file that has fewer are all of them; the parser would refuse them.
  const bounded = range.replaceAll(LAST_BYTES, (_last, count: string) => `-${Math.min(Number(count), sizeBytes)}`);
  if (hasBackwardRange(bounded)) return undefined;
  const ranges = parseRange(sizeBytes, bounded);
  if (ranges === -1) throw new RangeNotSatisfiable(sizeBytes);
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  const [{ start, end }] = ranges as unknown as [Bytes];
  return { start, end: end + 1 };
}

/** Whether a range ends before it begins: the header is to be ignored then, where the parser leaves the range out. */
function hasBackwardRange(header: string): boolean {
  const ranges = header.slice(header.indexOf('=') + 1).split(',');
  return ranges.some((range) => {
    const [first = '', last = ''] = range.split('-').map((position) => position.trim());
    return last !== '' && Number(last) < Number(first);
  });
}

interface PipeSteps {
  /** Before the first bytes. */
  begin(): void;
  /** Before bytes are written. */
  record(part: Uint8Array): void;
  /** Before the end is written. */
  complete(): Promise<void>;
}

/** Writes bytes as fast as they are read; what fails before the first of them is thrown, so that it can be told. */
async function pipe(
  bytes: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  signal: AbortSignal,
  steps: PipeSteps,
): Promise<void> {
  try {
    for await (const part of bytes) {
      signal.throwIfAborted();
      if (!response.headersSent) steps.begin();
      steps.record(part);
      if (!response.closed && !response.write(part)) await drained(response, signal);
    }
    if (!response.headersSent) steps.begin();
    await steps.complete();
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    if (!(signal.reason instanceof ClientGone)) noteCut(response);
    response.destroy();
  }
}
