import { Unavailable } from '../errors.js';

/** The requests and sockets that are being answered: what a drain waits for, and what it ends when time is up. */
export class OpenRequests {
  private readonly controllers = new Set<AbortController>();
  private streams = 0;
  private whenIdle: (() => void) | undefined;
  /** No new work is taken. */
  draining = false;

  constructor(private readonly maxStreams: number) {}

  /** Streams that are being answered. */
  get openStreams(): number {
    return this.streams;
  }

  add(controller: AbortController): void {
    this.controllers.add(controller);
  }

  remove(controller: AbortController): void {
    this.controllers.delete(controller);
    if (this.controllers.size === 0) this.whenIdle?.();
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

  /**
   * Waits until everything open has ended. What is still open after the given time is aborted,
   * so that streams end with an error event and are settled; what does not end even then is not waited for any longer
   * than `endMilliseconds`.
   */
  async drain(graceMilliseconds: number, endMilliseconds: number): Promise<void> {
    this.draining = true;
    if (this.controllers.size === 0) return;
    await new Promise<void>((resolve) => {
      const grace = setTimeout(() => {
        for (const controller of this.controllers) controller.abort(new Unavailable('The server is shutting down.'));
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
