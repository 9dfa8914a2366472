import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { BadUpstream, UpstreamTimeout } from '../../errors.js';
import type { ByteBudget } from '../async/byte-budget.js';
import { systemCode } from '../operational-error.js';

/** What undici calls with what happens to a request. */
type RequestHandler = Dispatcher.DispatchHandler;
/** By which undici is told to wait, or to stop. */
type RequestController = Dispatcher.DispatchController;

/** How an exchange was over: with its end, by the other side's failure, or because it was given up here. */
export type Ending = 'whole' | 'broken' | 'stopped';

/** One request to an origin. */
export interface OriginRequest {
  readonly method: 'GET' | 'POST';
  /** Appended to the base URL; from `/` where `absolute`. */
  readonly path: string;
  /** The path counts from the root of the host instead of the base URL. */
  readonly absolute?: boolean;
  /** A JSON text, or what `headers` say that it is; a stream is destroyed when the request is over. */
  readonly body?: string | Readable;
  /** In place of the origin's own of the same names, which are in lower case; undefined: not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the exchange at once, in whatever phase; its reason is what the caller sees. */
  readonly signal: AbortSignal;
  /** Called when the request goes out, over a connection that is there; must not throw. */
  readonly sent?: (() => void) | undefined;
  /** Called once when the exchange is over; must not throw. @param status undefined where there was no answer */
  readonly ended?: (ending: Ending, status: number | undefined) => void;
}

/** The head of an answer, and its body to be read. */
export interface OriginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UpstreamBody;
}

/** Bytes that arrive. Reading slowly slows the sender down. */
export interface ByteSource {
  /**
   * All bytes that have arrived since the last call; undefined at a clean end. One call at a time.
   * @throws BadUpstream where the connection broke, UpstreamTimeout after 300 s of silence, or the reason of an abort
   */
  next(): Promise<Buffer | undefined>;
  /** Closes the connection at once. @param ending `broken` where the other side is at fault; default: `stopped` */
  cancel(ending?: Ending): void;
  /** Drops what still comes; closes the connection where the end is not near. */
  release(): void;
}

/** How much of an answer is read as a whole, and for how long. */
export interface ReadLimits {
  readonly bytes: number;
  /** From the head of the answer, or later, to its end. */
  readonly milliseconds: number;
}

/** The body of an answer. */
interface UpstreamBody extends ByteSource {
  /**
   * The whole body.
   * @param limits default: 64 MiB, 300 s
   * @throws BadUpstream over the limit of bytes, UpstreamTimeout over that of time, and as `next` does
   */
  readAll(limits?: ReadLimits): Promise<Buffer>;
}

/** Unread bytes of one answer at which the sender is told to wait. */
const HIGH_WATER_BYTES = 64 * 1024;
const WHOLE_ANSWER: ReadLimits = { bytes: 64 * 1024 * 1024, milliseconds: 300_000 };
/** How long an answer may go on after its reader has seen what it wanted. */
const TRAILING_MS = 1_000;
const READY = Promise.resolve();

/**
 * One request and its answer: undici's handler on one side, a body to be pulled on the other. What undici calls never
 * throws: that would end the process.
 */
export class HttpExchange implements RequestHandler, UpstreamBody {
  readonly response: Promise<OriginResponse>;
  private readonly head = Promise.withResolvers<OriginResponse>();
  private controller: RequestController | undefined;
  private chunks: Buffer[] = [];
  private unreadBytes = 0;
  private over = false;
  private status: number | undefined;
  private dropping = false;
  private failure: unknown;
  private wake: (() => void) | undefined;
  private readonly headTimer: NodeJS.Timeout;

  /**
   * @param headMilliseconds from now to the head of the answer, whatever it is that takes the time
   * @param budget of all answers of the server that are read as a whole
   */
  constructor(
    private readonly request: OriginRequest,
    headMilliseconds: number,
    private readonly budget: ByteBudget,
  ) {
    this.response = this.head.promise;
    // A head that has arrived while this process was held up is read before it is called late.
    this.headTimer = setTimeout(() => setImmediate(this.headIsLate), headMilliseconds).unref();
    request.signal.addEventListener('abort', this.abort, { once: true });
  }

  onRequestStart(controller: RequestController): void {
    this.controller = controller;
    if (this.over) controller.abort(asError(this.failure));
    else this.request.sent?.();
  }

  onResponseStart(_controller: unknown, status: number, headers: OriginResponse['headers']): void {
    // 1xx are announcements of the answer.
    if (status < 200) return;
    clearTimeout(this.headTimer);
    this.status = status;
    this.head.resolve({ status, headers, body: this });
  }

  onResponseData(controller: RequestController, chunk: Buffer): void {
    if (this.dropping) return;
    this.chunks.push(chunk);
    this.unreadBytes += chunk.length;
    if (this.unreadBytes > HIGH_WATER_BYTES) controller.pause();
    this.wake?.();
  }

  onResponseEnd(): void {
    this.finish('whole');
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (!this.over) this.fail(upstreamError(error), 'broken');
  }

  next(): Promise<Buffer | undefined> {
    const isReady = this.unreadBytes > 0 || this.over;
    return (isReady ? READY : new Promise<void>((resolve) => (this.wake = resolve))).then(this.arrived);
  }

  async readAll({ bytes, milliseconds }: ReadLimits = WHOLE_ANSWER): Promise<Buffer> {
    const late = (): void => this.stop(new UpstreamTimeout('The answer of the model server takes too long.'), 'broken');
    const timer = setTimeout(late, milliseconds).unref();
    const parts: Buffer[] = [];
    let size = 0;
    try {
      for (let part = await this.next(); part; part = await this.next()) {
        const problem = this.problemOf(size + part.length, bytes, part.length);
        if (problem !== undefined) {
          this.cancel();
          throw new BadUpstream(problem);
        }
        size += part.length;
        parts.push(part);
      }
    } finally {
      clearTimeout(timer);
      this.budget.release(size);
    }
    return Buffer.concat(parts, size);
  }

  cancel(ending: Ending = 'stopped'): void {
    // It is called behind every answer that was read to its end: an error with its stack is a part of what that costs.
    if (this.over && this.unreadBytes === 0) return;
    this.stop(new BadUpstream('The answer of the model server was given up.'), ending);
  }

  release(): void {
    if (this.over) return;
    this.dropping = true;
    this.take();
    const timer = setTimeout(() => this.cancel(), TRAILING_MS).unref();
    this.wake = () => clearTimeout(timer);
  }

  private problemOf(size: number, limit: number, added: number): string | undefined {
    if (size > limit) return 'The answer of the model server is too large.';
    return this.budget.take(added) ? undefined : 'The model server sends too much at once.';
  }

  /** Called after everything that one read of the socket brings. */
  private readonly arrived = (): Buffer | undefined => {
    this.wake = undefined;
    if (this.unreadBytes > 0) return this.take();
    if (this.failure !== undefined) throw this.failure;
    return undefined;
  };

  private readonly abort = (): void => this.stop(this.request.signal.reason, 'stopped');

  /** Nothing was sent where there is no controller yet: that it connects, or waits for a connection, takes too long. */
  private readonly headIsLate = (): void => {
    if (this.status !== undefined) return;
    const cause = this.controller
      ? undefined
      : Object.assign(new Error('connect'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
    this.fail(Object.assign(lateHead(), { cause }), 'broken');
  };

  private stop(reason: unknown, ending: Ending): void {
    this.chunks = [];
    this.unreadBytes = 0;
    this.fail(reason, ending);
  }

  private take(): Buffer {
    const bytes = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.unreadBytes);
    this.chunks = [];
    this.unreadBytes = 0;
    if (this.controller?.paused) this.controller.resume();
    return bytes;
  }

  private fail(reason: unknown, ending: Ending): void {
    if (this.over) return;
    this.failure = reason;
    this.head.reject(reason);
    this.finish(ending);
    this.controller?.abort(asError(reason));
  }

  private finish(ending: Ending): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.headTimer);
    this.request.signal.removeEventListener('abort', this.abort);
    this.request.ended?.(ending, this.status);
    this.wake?.();
  }
}

/** The error for whatever a network client has thrown, which is its cause. */
export function upstreamError(cause: unknown): Error {
  const error = systemCode(cause).endsWith('_TIMEOUT')
    ? lateHead()
    : new BadUpstream('The model server cannot be reached or broke off its answer.');
  return Object.assign(error, { cause });
}

function lateHead(): UpstreamTimeout {
  return new UpstreamTimeout('The model server did not answer in time.');
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
