import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { BYOK_HEADER } from '../access/caller.js';
import { BadRequest, ExpectationFailed, HeadTooLarge } from '../errors.js';
import type { PlatformError } from '../errors.js';
import { isLoopback } from '../platform/net/loopback.js';
import type { HttpConfig } from './config.js';

/** Many times what any client sends; Node alone would drop what is more, without a word. */
const MAX_HEADERS = 200;

/** Headers that decide something. Node would take the first of two, or join them; a proxy in front may do otherwise. */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'transfer-encoding',
  BYOK_HEADER,
  'x-byok-organization',
]);

/**
 * What is wrong with the head of a request, whatever it asks for; undefined where nothing is. It refuses what two
 * servers could understand in two ways: other versions of HTTP, targets that are no path, and two of a header that has
 * one value.
 */
export function findHeadFault(request: IncomingMessage): PlatformError | undefined {
  const { httpVersion, rawHeaders, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return new BadRequest('Send the request as HTTP/1.1.');
  if (rawHeaders.length > MAX_HEADERS * 2) return new HeadTooLarge(`At most ${MAX_HEADERS} headers are read.`);
  const twice = findRepeated(rawHeaders);
  if (twice !== undefined) return new BadRequest(`The header ${twice} may be sent once only.`, twice);
  const { host, expect, 'transfer-encoding': coding } = request.headers;
  if (host === undefined && httpVersion === '1.1') return new BadRequest('The header host is required.', 'host');
  if (!url.startsWith('/') || url.includes('#'))
    return new BadRequest('Ask for a path of this server, as in /v1/models.');
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new BadRequest('The only transfer encoding is chunked, and HTTP/1.0 has none.', 'transfer-encoding');
  }
  if (expect !== undefined && !/^100-continue$/i.test(expect)) return new ExpectationFailed();
  return undefined;
}

function findRepeated(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** Some proxies name the port of a hop, as in `192.0.2.7:40000` or `[2001:db8::7]:40000`. */
const HOP_WITH_PORT = /^"?(?:\[(?<ipv6>[^\]]*)\]|(?<ipv4>[\d.]+))(?::\d+)?"?$/;

/** Where a request really came from, and whether it travelled over TLS. Forwarding headers count from trusted proxies only. */
export class TransportSecurity {
  private readonly trust: (address: string, index: number) => boolean;

  constructor(private readonly config: HttpConfig) {
    this.trust = proxyAddr.compile([...config.trustProxy]);
  }

  /** The client's address: the last one that a trusted proxy tells, or that of the last proxy where it tells none. */
  addressOf({ socket, headers }: IncomingMessage): string {
    const { remoteAddress = '' } = socket;
    if (this.config.trustProxy.length === 0) return remoteAddress;
    const told = headers['x-forwarded-for'];
    if (told === undefined) return remoteAddress;
    const hops = [told].flat().join(',').split(',').map(withoutPort);
    const request = { socket, headers: { 'x-forwarded-for': hops.join(',') } } as unknown as IncomingMessage;
    return proxyAddr.all(request, this.trust).findLast((address) => ipaddr.isValid(address)) ?? remoteAddress;
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

function withoutPort(hop: string): string {
  const { ipv6, ipv4 } = HOP_WITH_PORT.exec(hop.trim())?.groups ?? {};
  return ipv6 ?? ipv4 ?? hop.trim();
}
