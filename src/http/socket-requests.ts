import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { NotFound } from '../errors.js';
import { refuseSocket } from './end-socket.js';

/** Where the graph is asked over web sockets. */
export const GRAPHQL_PATH = '/graphql';

/** Answers a request for a web socket; must not throw. */
export type SocketUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Whether a request asks for a socket at one of the paths; any other `Upgrade` is ignored, as HTTP allows. */
export function isSocketRequest({ method, url, headers }: IncomingMessage, paths: ReadonlySet<string>): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.has(pathOf(url));
}

/** Takes over the socket requests of a server, which is to upgrade no others, by their paths. */
export function routeSockets(server: Server, upgrades: ReadonlyMap<string, SocketUpgrade>): void {
  server.on('upgrade', (request, socket, head) => {
    // Without a listener a connection that breaks now would end the process.
    socket.on('error', () => socket.destroy());
    const upgrade = upgrades.get(pathOf(request.url));
    if (upgrade) upgrade(request, socket, head);
    else refuseSocket(socket, new NotFound());
  });
}

function pathOf(url: string | undefined): string {
  return url?.split('?')[0] ?? '';
}
