import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PlatformError } from '../errors.js';

/** How long the other side may take to end its half, after which the connection is destroyed. */
const END_MS = 1_000;

/**
 * Ends a connection for good: what is given is written, and a second later the connection is destroyed, whether or not
 * the other side has read it and ended its half. An end alone would leave a half-open connection for ever.
 * @param text what is written before the end
 */
export function endSocket(socket: Duplex, text?: string): void {
  if (socket.destroyed || socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), END_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(text);
  // Bytes that nobody has read would turn the end into a reset, and the other side could not read the text.
  socket.resume();
}

/** Answers an error on a connection that has no response object, such as an upgrade, and ends it. */
export function refuseSocket(socket: Duplex, error: PlatformError): void {
  const body = JSON.stringify(error.toBody());
  const headers = {
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endSocket(socket, `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
}
