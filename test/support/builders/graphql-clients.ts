import { once } from 'node:events';
import { createClient as createSseClient } from 'graphql-sse';
import type { Client as SseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import type { Client as WsClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { AnyJson } from '../probes/any-json.js';

/** Where a client connects to, such as a platform, and as whom. */
export interface Connection {
  readonly url: string;
  readonly token: string;
}

/** Reads the results of an operation that was sent over Server-Sent Events. */
export function sseResults(text: string): AnyJson[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** The address of the socket for GraphQL. */
export function socketUrl(url: string): string {
  return `${url.replace('http', 'ws')}/graphql`;
}

/** Opens a socket that speaks as a test tells it to. @param headers of the upgrade */
export function openSocket(url: string, headers: Record<string, string> = {}): WebSocket {
  return new WebSocket(socketUrl(url), 'graphql-transport-ws', { headers });
}

/**
 * Opens a socket as a caller, who is acknowledged.
 * @returns with the code by which it will be closed
 * @throws Error where anything else than the acknowledgement comes first
 */
export async function openSocketAs({
  url,
  token,
}: Connection): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const socket = openSocket(url);
  const payload = { authorization: `Bearer ${token}` };
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
  const [message] = (await once(socket, 'message')) as [Buffer];
  if (message.toString() !== '{"type":"connection_ack"}') throw new Error(`The socket says ${message.toString()}.`);
  return { socket, closed: once(socket, 'close').then(([code]) => code as number) };
}

/** Makes a client of graphql-ws. @param options put over its own habits, such as how often it tries again */
export function wsClient({ url, token }: Connection, options: object = {}): WsClient {
  const connectionParams = { authorization: `Bearer ${token}` };
  return createWsClient({ url: socketUrl(url), webSocketImpl: WebSocket, connectionParams, ...options });
}

/** Makes a client of graphql-sse. @param options put over its own habits, such as how often it tries again */
export function sseClient({ url, token }: Connection, options: object = {}): SseClient {
  return createSseClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${token}` }, ...options });
}
