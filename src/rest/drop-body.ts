import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a refused body is taken. */
const DROP_MS = 10_000;
/** A client that has asked whether to send a body, and was refused, sends none. */
const EXPECTANT_MS = 1_000;

const early = new WeakSet<ServerResponse>();

/**
 * The most bytes that are taken of a refused body: those of the largest body that is served, and four times as many
 * from a caller who is known, since an honest client may well have sent a file that is too large.
 * @param maxJsonBytes the largest body that is served
 */
export function droppableBytes(maxJsonBytes: number, isKnown: boolean): number {
  return isKnown ? 4 * maxJsonBytes : maxJsonBytes;
}

/** Whether all of a body has arrived, or there is none. */
export function isBodyWhole({ complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  const length = headers['content-length'];
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

/** Whether a client was refused before its body had come, of which the rest may still be taken. */
export function wasRefused(response: ServerResponse): boolean {
  return early.has(response);
}

/**
 * Ends a response that is written but for its end, and whose request has a body that nobody reads. The rest of that
 * body is taken and dropped first, so that a client that is still writing can read the answer: the connection would
 * break under it otherwise. What is larger or takes longer than this allows is cut off.
 * @param bytes the most that is taken
 */
export function endBeforeBody(response: ServerResponse, bytes: number): void {
  const request = response.req;
  if (request.destroyed) return void response.destroy();
  early.add(response);
  let left = bytes;
  const finish = (isWhole: boolean): void => {
    clearTimeout(timer);
    request.off('data', drop).off('close', close);
    if (isWhole) response.end();
    else response.destroy();
  };
  const drop = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) finish(false);
  };
  const close = (): void => finish(request.complete);
  const timer = setTimeout(finish, request.headers.expect ? EXPECTANT_MS : DROP_MS, false).unref();
  request.on('data', drop).once('close', close).resume();
}
