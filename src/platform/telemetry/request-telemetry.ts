/** What the parts that observe tell each other of one open request. */
export interface RequestTimings {
  /** The header of that name (W3C Trace Context), as the client sent it. */
  readonly traceparent?: string;
  /** The time that model servers had it. */
  upstreamMilliseconds: number;
  /** Calls of models that have begun; the request's own time is known when as many have ended. */
  begun: number;
  ended: number;
}

/**
 * The timings of the open requests by request id, so that a call of a model finds its request without every layer in
 * between knowing of it. Clients choose ids: where two open requests share one, the later counts.
 */
export class RequestTelemetry {
  private readonly timings = new Map<string, RequestTimings>();

  open(requestId: string, traceparent: string | undefined): RequestTimings {
    const timings = { traceparent, upstreamMilliseconds: 0, begun: 0, ended: 0 };
    this.timings.set(requestId, timings);
    return timings;
  }

  /** The timings of an open request; there is none for an operation of a web socket. */
  of(requestId: string): RequestTimings | undefined {
    return this.timings.get(requestId);
  }

  close(requestId: string, timings: RequestTimings): void {
    if (this.timings.get(requestId) === timings) this.timings.delete(requestId);
  }
}
