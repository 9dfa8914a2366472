/** What the parts that observe tell each other of one open request. */
export interface RequestTrail {
  /** The header of that name (W3C Trace Context), as the client sent it. */
  readonly traceparent?: string;
  /** The time that model servers had it. */
  upstreamMilliseconds: number;
  /** Calls of models that have begun; the request's own time is known when as many have ended. */
  begun: number;
  ended: number;
}

/**
 * The trails of the open requests by request id, so that a call of a model finds its request without every layer in
 * between knowing of it. Clients choose ids: where two open requests share one, the later counts.
 */
export class RequestTrails {
  private readonly trails = new Map<string, RequestTrail>();

  open(requestId: string, traceparent: string | undefined): RequestTrail {
    const trail = { traceparent, upstreamMilliseconds: 0, begun: 0, ended: 0 };
    this.trails.set(requestId, trail);
    return trail;
  }

  /** The trail of an open request; there is none for an operation of a web socket. */
  of(requestId: string): RequestTrail | undefined {
    return this.trails.get(requestId);
  }

  close(requestId: string, trail: RequestTrail): void {
    if (this.trails.get(requestId) === trail) this.trails.delete(requestId);
  }
}
