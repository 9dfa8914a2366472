import { Socket } from 'node:net';
import { Resolver } from 'node:dns/promises';

/** An address that this process has tried to connect to. */
export interface ConnectionAttempt {
  readonly address: string;
  readonly port: number;
}

/** Watches every attempt of this process to connect over TCP, also those that come to nothing, until it is disposed of. */
export function watchConnections(): { readonly attempts: readonly ConnectionAttempt[] } & Disposable {
  const attempts: ConnectionAttempt[] = [];
  const { connect } = Socket.prototype;
  const watched = function (this: Socket, ...options: unknown[]): Socket {
    // A socket of a file has no port.
    this.on('connectionAttempt', (address: string, port?: number) => port && attempts.push({ address, port }));
    return Reflect.apply(connect, this, options) as Socket;
  };
  Socket.prototype.connect = watched as typeof connect;
  return { attempts, [Symbol.dispose]: () => void (Socket.prototype.connect = connect) };
}

/** Has this process ask one name server, such as `127.0.0.1:53`, for addresses, until it is disposed of. */
export function askNameServer(server: string): Disposable {
  const { resolve4, resolve6 } = Resolver.prototype;
  const asking = (resolve: typeof resolve4) =>
    function (this: Resolver, ...question: unknown[]): Promise<string[]> {
      // It takes no others while it waits for an answer.
      if (this.getServers()[0] !== server) this.setServers([server]);
      return Reflect.apply(resolve, this, question) as Promise<string[]>;
    };
  Resolver.prototype.resolve4 = asking(resolve4) as typeof resolve4;
  Resolver.prototype.resolve6 = asking(resolve6 as typeof resolve4) as typeof resolve6;
  return { [Symbol.dispose]: () => void Object.assign(Resolver.prototype, { resolve4, resolve6 }) };
}
