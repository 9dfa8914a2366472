import type { Logger } from 'pino';
import { PlatformError } from '../../../errors.js';
import { ProbeHistory } from '../../../platform/telemetry/probe-history.js';
import type { Operation } from '../backend.js';
import { CircuitBreaker } from './circuit-breaker.js';

/** How often failed calls may have the server probed. */
const PROBE_COOLDOWN_MS = 1_000;

interface ServerHealthParts {
  /** The backend's. */
  readonly id: string;
  readonly log: Logger;
  /** Called when the server has become healthy, or is not any more. */
  readonly changed: () => void;
  /** Called when a pause is over, or a call has failed: the server is to be probed now. */
  readonly probe: () => void;
}

/** What is known of how a model server does, from every call and every probe: whether it is there, and its circuits. */
export class ServerHealth {
  /** Whether it could be connected to, and its last probe went well. */
  reachable = true;
  private readonly circuits: Readonly<Record<Operation, CircuitBreaker>> = {
    chat: new CircuitBreaker(),
    completions: new CircuitBreaker(),
    responses: new CircuitBreaker(),
    embeddings: new CircuitBreaker(),
    rerank: new CircuitBreaker(),
    translate: new CircuitBreaker(),
    transcribe: new CircuitBreaker(),
    speech: new CircuitBreaker(),
  };
  private readonly history = new ProbeHistory();
  private lastReportedHealthy = true;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private probeRequestedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ServerHealthParts) {}

  /** Whether it answers, and none of its circuits is open. */
  get healthy(): boolean {
    return this.reachable && Object.values(this.circuits).every(({ state }) => state === 'closed');
  }

  /** Whether it has left one probe without an answer, and nothing else is known against it. */
  get isLate(): boolean {
    return this.history.state === 'degraded';
  }

  circuit(operation: Operation): CircuitBreaker {
    return this.circuits[operation];
  }

  /** An answer to a caller has begun, or a refusal that is about the request. */
  answered(operation: Operation, caller: string): void {
    this.circuits[operation].answered(caller);
    this.update();
  }

  /** An answer became whole. */
  succeeded(operation: Operation): void {
    this.circuits[operation].succeeded();
    this.update();
  }

  /** There was no connection to the server. @param reason an error, or a text, for the log */
  notConnected(operation: Operation, reason: unknown): void {
    this.reachable = false;
    this.history.failed();
    this.circuits[operation].failed();
    this.update(reason);
    this.probeWhenDue();
  }

  /**
   * A call that was sent failed, which may be the fault of what this caller has sent. A probe tells at once whether the
   * server is there.
   * @param reason as for `notConnected`
   */
  failedFor(operation: Operation, caller: string, reason: unknown, { hadBegun = false } = {}): void {
    this.circuits[operation].failedFor(caller, hadBegun);
    this.update(reason);
    this.probeWhenDue();
    const now = performance.now();
    if (this.closed || now - this.probeRequestedAt < PROBE_COOLDOWN_MS) return;
    this.probeRequestedAt = now;
    this.parts.probe();
  }

  /** The server says that it is busy for so many seconds. */
  busy(operation: Operation, seconds: number): void {
    this.circuits[operation].busy(seconds);
  }

  /** A request has got the head of an answer. */
  reached(): void {
    this.reachable = true;
    this.history.answered();
    this.update();
  }

  /**
   * A probe is over.
   * @param error what went wrong, or undefined
   * @param isSilent whether that is that no answer came in time
   */
  probed(error?: unknown, isSilent = false): void {
    this.reachable = error === undefined;
    if (this.reachable) this.history.answered();
    else if (isSilent) this.history.missed();
    else this.history.failed();
    for (const circuit of Object.values(this.circuits)) {
      if (this.reachable) circuit.probed();
      else circuit.failed();
    }
    this.update(error);
    this.probeWhenDue();
  }

  /** Tells nothing and asks for nothing any more. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Only a change is worth a line of the log. */
  private update(reason?: unknown): void {
    const { healthy } = this;
    if (this.closed || healthy === this.lastReportedHealthy) return;
    this.lastReportedHealthy = healthy;
    const { id, log, changed } = this.parts;
    const what = this.reachable ? 'the model server keeps failing' : 'the model server does not answer';
    if (healthy) log.info({ backend: id }, 'the model server answers again');
    else log.warn({ backend: id, reason: textOf(reason) }, what);
    try {
      changed();
    } catch (thrown) {
      // Whoever is told is no part of the call that is being made.
      log.error({ err: thrown, backend: id }, 'a change of a backend cannot be told');
    }
  }

  /** Has the server probed when the next pause is over. */
  private probeWhenDue(): void {
    const ends = Object.values(this.circuits).flatMap(({ pausedUntil }) => pausedUntil ?? []);
    clearTimeout(this.timer);
    if (this.closed || ends.length === 0) return;
    const milliseconds = Math.max(0, Math.min(...ends) - performance.now()) + 1;
    this.timer = setTimeout(this.parts.probe, milliseconds).unref();
  }
}

function textOf(reason: unknown): string {
  const cause = reason instanceof PlatformError ? (reason.cause ?? reason) : reason;
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && !(cause instanceof PlatformError) ? code : cause.message;
}
