import { connect as connectTcp, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BindRequest, ExtendedRequest, PagedResultsControl, SearchRequest, UnbindRequest } from 'ldapts';
import { isLoopback } from '../../../platform/net/loopback.js';
import { systemCode } from '../../../platform/operational-error.js';
import { isBindPassword } from './bind-password.js';
import { nonsense } from './ber.js';
import { unreachable } from './directory-address.js';
import type { DirectoryAddress } from './directory-address.js';
import { DirectoryFailure, LDAP_RESULT } from './directory-failure.js';
import { readAnswer } from './ldap-answer.js';
import type { LdapAnswer, LdapEntry } from './ldap-answer.js';
import { parseFilter } from './ldap-filter.js';
import { MessageSplitter, tooMuch } from './message-splitter.js';

const START_TLS = '1.3.6.1.4.1.1466.20037';
const MIB = 1024 * 1024;
/** Values of attributes in the answers to one request, unless more are expected. */
const MAX_VALUES = 20_000;

/** How to talk to a directory. */
export interface ConnectionOptions {
  /** `tls` from the beginning, `startTls` before anything else is said, `plain` on this machine alone. */
  readonly security: 'tls' | 'startTls' | 'plain';
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string;
  /** Of the connection, and of each answer as a whole. */
  readonly timeoutMs: number;
  /** Ends the connection when it is aborted. */
  readonly signal: AbortSignal;
}

/** What is searched for. */
export interface LdapSearch {
  readonly base: string;
  readonly scope?: 'base' | 'sub';
  /** RFC 4515. */
  readonly filter: string;
  readonly attributes: readonly string[];
  /** More than these are an error, whatever the directory thinks of limits. */
  readonly maxEntries: number;
  /** All answers together; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Values of attributes in all answers together; 20,000 by default. */
  readonly maxValues?: number;
  /** For a page of `maxEntries`, behind the cookie of the one before (RFC 2696). */
  readonly page?: { readonly cookie?: Buffer };
}

/** What was found. */
export interface LdapFound {
  readonly entries: LdapEntry[];
  /** `success`, or `sizeLimitExceeded` with the first ones. */
  readonly code: number;
  /** Of the next page; undefined: there is none. */
  readonly cookie?: Buffer;
}

interface Exchange {
  readonly id: number;
  /** Of one answer. */
  readonly maxBytes: number;
  bytesLeft: number;
  /** Of attributes, in all answers. */
  valuesLeft: number;
  /** @returns whether the answer was the last one */
  take(answer: LdapAnswer): boolean;
  reject(failure: Error): void;
}

type Request = BindRequest | ExtendedRequest | SearchRequest;

/**
 * A connection to a directory (RFC 4511): one request at a time, bounded in time and bytes. It never connects again, and
 * follows no referrals. Every failure ends it.
 */
export class LdapConnection {
  private readonly splitter = new MessageSplitter();
  private exchange: Exchange | undefined;
  private failure: Error | undefined;
  private lastId = 0;

  private constructor(
    private socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    options.signal.addEventListener('abort', this.abort, { once: true });
    this.listen();
  }

  /** @throws DirectoryFailure */
  static async open(address: DirectoryAddress, options: ConnectionOptions): Promise<LdapConnection> {
    const connection = new LdapConnection(connectTo(address), options);
    try {
      await connection.until('connect', 'unreachable');
      connection.requireAllowed(address);
      if (options.security === 'startTls') await connection.startTls();
      if (options.security !== 'plain') await connection.secure(address.hostname);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Says who is asking. @returns the result code @throws DirectoryFailure */
  async bind(dn: string, password: string): Promise<number> {
    // An empty name is an anonymous bind, which succeeds for everybody (RFC 4513, section 5.1).
    if (dn === '' || !isBindPassword(password)) return LDAP_RESULT.invalidCredentials;
    const messageId = this.nextId();
    return this.ask(new BindRequest({ messageId, dn, password }), {}, (answer) =>
      answer.kind === 'bind' ? answer.code : undefined,
    );
  }

  /** @throws DirectoryFailure */
  async search(search: LdapSearch): Promise<LdapFound> {
    const entries: LdapEntry[] = [];
    const { maxEntries } = search;
    const found = await this.ask(this.searchRequest(search), search, (answer) => {
      if (answer.kind === 'done') return { entries, code: answer.code, cookie: answer.cookie };
      if (answer.kind === 'entry' && entries.push(answer.entry) > maxEntries) throw tooMuch();
      if (answer.kind !== 'entry' && answer.kind !== 'reference') throw nonsense();
      return undefined;
    });
    if (found.code === LDAP_RESULT.success || found.code === LDAP_RESULT.sizeLimitExceeded) return found;
    throw new DirectoryFailure('result', `The directory refuses a search with the code ${found.code}.`, found.code);
  }

  /** Ends the connection. */
  close(): void {
    this.options.signal.removeEventListener('abort', this.abort);
    if (!this.failure && !this.socket.connecting) {
      this.socket.write(new UnbindRequest({ messageId: this.nextId() }).write());
    }
    this.fail(new DirectoryFailure('unreachable', 'The connection is closed.'));
  }

  private searchRequest({ base, scope, filter, attributes, maxEntries, page }: LdapSearch): SearchRequest {
    const paging = { size: maxEntries, cookie: page?.cookie };
    return new SearchRequest({
      messageId: this.nextId(),
      baseDN: base,
      scope: scope ?? 'sub',
      derefAliases: 'never',
      filter: parseFilter(filter),
      attributes: [...attributes],
      sizeLimit: page ? 0 : maxEntries,
      timeLimit: Math.ceil(this.options.timeoutMs / 1_000),
      controls: page ? [new PagedResultsControl({ critical: true, value: paging })] : [],
    });
  }

  private async ask<T>(
    request: Request,
    { maxBytes = MIB, maxValues = MAX_VALUES }: Pick<LdapSearch, 'maxBytes' | 'maxValues'>,
    read: (answer: LdapAnswer) => T | undefined,
  ): Promise<T> {
    if (this.failure) throw this.failure;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const take = (answer: LdapAnswer): boolean => {
      const result = read(answer);
      if (result !== undefined) resolve(result);
      return result !== undefined;
    };
    this.exchange = { id: request.messageId, maxBytes, bytesLeft: maxBytes, valuesLeft: maxValues, take, reject };
    this.socket.write(request.write());
    return this.inTime(promise);
  }

  private async startTls(): Promise<void> {
    const request = new ExtendedRequest({ messageId: this.nextId(), oid: START_TLS });
    const code = await this.ask(request, {}, (answer) => (answer.kind === 'extended' ? answer.code : undefined));
    if (code === LDAP_RESULT.success && this.splitter.isEmpty) return;
    throw new DirectoryFailure('tls', 'The directory does not begin TLS.', code);
  }

  private async secure(hostname: string): Promise<void> {
    const plain = this.socket;
    plain.removeListener('data', this.received);
    try {
      // Names of addresses are not sent, but looked for in the certificate.
      const servername = isIP(hostname) ? '' : hostname;
      const { ca } = this.options;
      this.socket = connectTls({
        socket: plain,
        host: hostname,
        servername,
        ca,
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
      });
    } catch (error) {
      throw new DirectoryFailure('settings', 'The certificates of ca cannot be read.', systemCode(error));
    }
    this.listen();
    await this.until('secureConnect', 'tls');
  }

  private listen(): void {
    this.socket.on('data', this.received);
    this.socket.on('error', (error) => this.fail(unreachable(systemCode(error))));
    this.socket.on('close', () => this.fail(unreachable('ECONNRESET')));
  }

  /** Waits for the event of a connection that is made. */
  private async until(event: 'connect' | 'secureConnect', kind: 'unreachable' | 'tls'): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.socket.once(event, resolve);
    this.exchange = {
      id: -1,
      maxBytes: 0,
      bytesLeft: 0,
      valuesLeft: 0,
      take: () => false,
      reject: (error) => reject(kind === 'tls' ? toTlsFailure(error) : error),
    };
    await this.inTime(promise);
    this.exchange = undefined;
  }

  private async inTime<T>(promise: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.fail(late()), this.options.timeoutMs);
    if (this.failure ?? this.options.signal.aborted) this.fail(this.failure ?? late());
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  private readonly received = (bytes: Buffer): void => {
    try {
      if (!this.exchange || (this.exchange.bytesLeft -= bytes.length) < 0) throw tooMuch();
      for (const message of this.splitter.split(bytes, this.exchange.maxBytes)) {
        const answer = readAnswer(message, this.exchange?.valuesLeft ?? 0);
        if (answer.id !== this.exchange?.id) throw nonsense();
        if (answer.kind === 'entry') this.exchange.valuesLeft -= countValues(answer.entry);
        if (this.exchange.take(answer)) this.exchange = undefined;
      }
    } catch (error) {
      this.fail(error instanceof Error ? error : nonsense());
    }
  };

  private readonly abort = (): void => this.fail(late());

  private requireAllowed({ allows }: DirectoryAddress): void {
    const address = this.socket.remoteAddress ?? '';
    if (!allows(address)) throw unreachable('EACCES');
    if (this.options.security !== 'plain' || isLoopback(address)) return;
    throw new DirectoryFailure('tls', 'Only a directory on this machine may be asked without TLS.');
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  private fail(failure: Error): void {
    this.failure ??= failure;
    const { exchange } = this;
    this.exchange = undefined;
    exchange?.reject(this.failure);
    this.socket.destroy();
  }
}

/** It goes where the name led when it was looked up, and asks for no address again. */
function connectTo({ hostname, port, addresses }: DirectoryAddress): Socket {
  const [first] = addresses as [DirectoryAddress['addresses'][number]];
  const lookup: LookupFunction = (_, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  return connectTcp({ host: hostname, port, lookup, noDelay: true });
}

function countValues({ attributes }: LdapEntry): number {
  return [...attributes.values()].reduce((sum, values) => sum + values.length, 0);
}

function toTlsFailure(error: Error): Error {
  if (!(error instanceof DirectoryFailure) || error.kind !== 'unreachable') return error;
  return new DirectoryFailure(
    'tls',
    'TLS cannot be agreed on: the certificate is not trusted, or there is none.',
    error.detail,
  );
}

function late(): DirectoryFailure {
  return new DirectoryFailure('timeout', 'The directory does not answer in time.');
}
