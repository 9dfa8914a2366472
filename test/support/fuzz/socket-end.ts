import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { problemOfErrors, problemOfResult } from './graphql-answers.js';
import { ANSWER_MS, TooSlow } from './send.js';

/** Codes by which a server says that it failed, or says nothing at all. */
const FAILED = new Set([1006, 1011, 1012, 1013, 1014, 4500]);

/** A message of the server. */
export interface Told {
  readonly type: unknown;
  readonly id?: unknown;
  readonly payload?: unknown;
}

/** What a server tells a socket, up to its end. */
export class SocketEnd {
  problem: string | undefined;
  private readonly waiting = new Set<(told: Told) => void>();
  private readonly gone: Promise<void>;

  /** @param answerMs how long an answer, or the end, may take */
  constructor(
    private readonly socket: WebSocket,
    private readonly answerMs: number = ANSWER_MS,
  ) {
    socket.on('message', (data) => this.read(JSON.parse(String(data)) as Told));
    socket.on('error', (error) => (this.problem ??= problemOfError(error)));
    this.gone = new Promise((resolve) => {
      socket.once('close', (code) => {
        if (FAILED.has(code)) this.problem ??= `the server closed the socket with ${code}`;
        resolve();
      });
    });
  }

  /** Resolves with such a message, or with the end of the socket. @throws TooSlow */
  until(isIt: (told: Told) => boolean): Promise<void> {
    const come = new Promise<void>((resolve) => this.waiting.add((told) => isIt(told) && resolve()));
    return this.inTime(Promise.race([come, this.gone]), 'an answer');
  }

  /** Resolves with the end of the socket. @throws TooSlow */
  closed(): Promise<void> {
    return this.inTime(this.gone, 'the end of the socket');
  }

  private read(told: Told): void {
    if (told.type === 'next') this.problem ??= problemOfResult(told.payload);
    if (told.type === 'error') this.problem ??= problemOfErrors(told.payload);
    for (const tell of this.waiting) tell(told);
  }

  private async inTime(promise: Promise<void>, what: string): Promise<void> {
    const waited = new AbortController();
    const late = sleep(this.answerMs, true, { signal: waited.signal }).catch(() => false);
    const isLate = await Promise.race([promise.then(() => false), late]);
    waited.abort();
    if (!isLate) return;
    this.socket.terminate();
    throw new TooSlow(`${what} did not come in ${this.answerMs} ms`);
  }
}

/** A connection that breaks while it is written to says nothing about the server. */
function problemOfError(error: Error & { code?: string }): string | undefined {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
    ? undefined
    : `the server broke the protocol: ${error.message}`;
}
