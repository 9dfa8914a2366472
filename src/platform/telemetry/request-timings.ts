/** What is known of the time of one open request; calls of models add to it. */
export interface RequestTimings {
  /** The header of that name (W3C Trace Context), as the client sent it. */
  readonly traceparent?: string;
  /** The time that model servers had it. */
  upstreamMilliseconds: number;
  /** Calls of models that have begun; the request's own time is known when as many have ended. */
  begun: number;
  ended: number;
}
