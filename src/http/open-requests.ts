import { Unavailable } from '../errors.js';
import type { PlatformError } from '../errors.js';
import type { Gauge } from '../platform/telemetry/metrics.js';

/** A web socket, as far as the end of the server concerns it. */
export interface OpenSocket {
  /** No new work is taken: a socket on which nothing runs may go. */
  drain(): void;
  /** Time is up. */
  end(reason: PlatformError): void;
}

/** A request, as far as the end of the server concerns it. */
export type OpenRequest = Pick<AbortController, 'abort'>;

/** The requests and sockets that are being answered: what a drain waits for, and what it ends when time is up. */
export class OpenRequests {
  private readonly requests = new Set<OpenRequest>();
  private readonly sockets = new Set<OpenSocket>();
  private streams = 0;
  private whenIdle: (() => void) | undefined;
  /** No new work is taken. */
  draining = false;

  constructor(private readonly maxStreams: number) {}

  /** Streams that are being answered. */
  get gauge(): Gauge {
    return {
      name: 'platform_streams_open',
      help: 'Streams that are being answered.',
      labels: [],
      read: () => [{ value: this.streams }],
    };
  }

  add(request: OpenRequest): void {
    this.requests.add(request);
  }

  remove(request: OpenRequest): void {
    this.requests.delete(request);
    this.notifyIfIdle();
  }

  /** @returns what forgets the socket again */
  addSocket(socket: OpenSocket): () => void {
    this.sockets.add(socket);
    return () => {
      this.sockets.delete(socket);
      this.notifyIfIdle();
    };
  }

  /**
   * Takes a place among the open streams; the returned function gives it back.
   * @throws Unavailable when all places are taken
   */
  openStream(): () => void {
    if (this.streams >= this.maxStreams) throw new Unavailable('Too many streams are open. Please try again.', 5);
    this.streams += 1;
    let open = true;
    return () => {
      if (open) this.streams -= 1;
      open = false;
    };
  }

  private get isIdle(): boolean {
    return this.requests.size === 0 && this.sockets.size === 0;
  }

  private notifyIfIdle(): void {
    if (this.isIdle) this.whenIdle?.();
  }

  /**
   * Waits until everything open has ended. What is still open after the given time is aborted,
   * so that streams end with an error event and are settled; what does not end even then is not waited for any longer
   * than `endMilliseconds`.
   */
  async drain(graceMilliseconds: number, endMilliseconds: number): Promise<void> {
    this.draining = true;
    for (const socket of this.sockets) socket.drain();
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      const grace = setTimeout(() => {
        const reason = new Unavailable('The server is shutting down.');
        for (const request of this.requests) request.abort(reason);
        for (const socket of this.sockets) socket.end(reason);
      }, graceMilliseconds);
      const end = setTimeout(resolve, graceMilliseconds + endMilliseconds);
      this.whenIdle = () => {
        clearTimeout(grace);
        clearTimeout(end);
        resolve();
      };
    });
  }
}
