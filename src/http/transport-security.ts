import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import proxyAddr from 'proxy-addr';
import { isLoopback } from '../platform/net/loopback.js';
import type { HttpConfig } from './config.js';

/** Where a request really came from, and whether it travelled over TLS. Forwarding headers count from trusted proxies only. */
export class TransportSecurity {
  private readonly trust: (address: string, index: number) => boolean;

  constructor(private readonly config: HttpConfig) {
    this.trust = proxyAddr.compile([...config.trustProxy]);
  }

  /** The client's address. */
  addressOf(request: IncomingMessage): string {
    return this.config.trustProxy.length === 0 ? (request.socket.remoteAddress ?? '') : proxyAddr(request, this.trust);
  }

  isTls(request: IncomingMessage): boolean {
    return this.forwardedProtocol(request) === 'https' || (request.socket as TLSSocket).encrypted === true;
  }

  /**
   * Whether the request may carry a token (docs/api.md, Authentication): over TLS, or without leaving this
   * machine, or where the operator allows plain text.
   */
  isAcceptable(request: IncomingMessage): boolean {
    if (this.config.allowPlaintext || this.isTls(request)) return true;
    return this.forwardedProtocol(request) === undefined && isLoopback(request.socket.remoteAddress ?? '');
  }

  private forwardedProtocol(request: IncomingMessage): string | undefined {
    if (this.config.trustProxy.length === 0 || !this.trust(request.socket.remoteAddress ?? '', 0)) return undefined;
    const header = request.headers['x-forwarded-proto'];
    return typeof header === 'string' ? header.split(',').at(-1)?.trim().toLowerCase() : undefined;
  }
}
