import type { IncomingMessage } from 'node:http';

/** By the request whose body is waited for. */
const deadlines = new WeakMap<IncomingMessage, ArrivalDeadline>();

/** How long the body of a request may take to arrive. Node has one such limit for all requests, and none for a single one. */
class ArrivalDeadline {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly milliseconds: number,
    private readonly late: () => void,
  ) {
    request.once('close', this.stop);
  }

  readonly stop = (): void => clearTimeout(this.timer);

  readonly start = (): void => {
    const { request, late, milliseconds } = this;
    if (request.complete || request.destroyed) return;
    this.timer = setTimeout(() => request.complete || late(), milliseconds).unref();
  };
}

/**
 * Waits for the body of a request, where it has one.
 * @param late told where it has not arrived after so many milliseconds
 */
export function startArrivalDeadline(request: IncomingMessage, milliseconds: number, late: () => void): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  const deadline = new ArrivalDeadline(request, milliseconds, late);
  deadlines.set(request, deadline);
  deadline.start();
}

/** Lets a body take its time whose reader looks after that itself. @returns waits for the rest of it as before */
export function liftArrivalDeadline(request: IncomingMessage): () => void {
  const deadline = deadlines.get(request);
  deadline?.stop();
  return () => deadline?.start();
}
