import type { IncomingHttpHeaders } from 'node:http';
import type { CallClaim, Caller } from '../context.js';
import { BadRequest } from '../errors.js';

const HEADER = 'idempotency-key';
const KEY = /^[\x20-\x7e]{16,255}$/;
/** Larger answers are not kept. */
const ANSWER_BYTES = 1024 * 1024;
/** The end mark of a chat stream. Named streams end with the connection, as far as their clients know. */
const END = /data: \[DONE\]\s*$/;
const END_BYTES = 32;
/** Statuses that tell of the moment and not of the request. */
const MOMENTARY = new Set([408, 409, 429, 499]);

/** An answer as it was sent the first time. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a key was sent with. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** All that decides what the request asks for beside its path. */
  readonly content: readonly unknown[];
  /** Whether the operation is a call of a model, whose record takes the claim; otherwise the attempt claims by itself. */
  readonly isCall: boolean;
}

/** One attempt at what an Idempotency-Key stands for (CONTRACT, section 1). */
export interface Attempt {
  /** For the record of the call that is made. */
  readonly claim: CallClaim;
  /**
   * The answer of an earlier attempt; undefined where this one is the first.
   * @throws IdempotencyConflict, Unavailable
   */
  begin(): Promise<KeptAnswer | undefined>;
  /** The answer of an attempt that ended while this one began. */
  find(): Promise<KeptAnswer | undefined>;
  /** Keeps the answer, before the client sees its end. An undefined one is too large, and can only be refused again. */
  keep(answer: KeptAnswer | undefined): Promise<void>;
  /** Nothing was made: the next attempt is the first again. */
  release(): Promise<void>;
}

/** Makes attempts; metering implements it. */
export interface Idempotency {
  attempt(request: IdempotentRequest): Attempt;
}

/**
 * The key of a request; undefined where none is sent.
 * @throws BadRequest
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers[HEADER];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 16 to 255 printable ASCII characters.', 'Idempotency-Key');
}

/** Whether an answer may be told again. */
export function isWorthKeeping(status: number): boolean {
  return status < 500 && !MOMENTARY.has(status);
}

/** Collects an answer for as long as it is small enough to be kept. */
export class AnswerCopy {
  private readonly parts: Buffer[] = [];
  private size = 0;

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.size > ANSWER_BYTES) this.parts.length = 0;
    else this.parts.push(Buffer.from(bytes));
  }

  /** Undefined: it was too large. */
  get whole(): Buffer | undefined {
    return this.size > ANSWER_BYTES ? undefined : Buffer.concat(this.parts);
  }
}

/** Keeps a stream for its key while it is sent. */
export class StreamKeeper {
  private readonly copy = new AnswerCopy();
  private isKept = false;

  constructor(
    private readonly attempt: Attempt,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Takes what is about to be sent; what ends an answer waits until the answer is kept. */
  async pass(bytes: Uint8Array): Promise<void> {
    this.copy.add(bytes);
    if (END.test(Buffer.from(bytes.subarray(-END_BYTES)).toString('latin1'))) await this.end();
  }

  /** Keeps a whole stream. */
  async end(): Promise<void> {
    if (this.isKept) return;
    this.isKept = true;
    const body = this.copy.whole;
    await this.attempt.keep(body && { status: 200, headers: this.headers, body });
  }
}

/** A JSON answer to be kept; undefined where it is too large. */
export function keptJson(status: number, headers: Readonly<Record<string, string>>, value: unknown) {
  const copy = new AnswerCopy();
  if (status !== 204) copy.add(Buffer.from(JSON.stringify(value)));
  const body = copy.whole;
  const type: Record<string, string> = status === 204 ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return body && { status, headers: { ...type, ...headers }, body };
}
