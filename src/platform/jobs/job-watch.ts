/** How soon a job ends that may not go on. */
const LOOK_MS = 400;

/** Looks again and again whether a job may go on, while it is done: on whatever replica the end of it was decided. */
export class JobWatch {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param findEnd resolves with why the job ends, or undefined where it goes on; where it fails the next look tells */
  constructor(private readonly findEnd: () => Promise<Error | undefined>) {
    this.wait();
  }

  /** Aborted with why the job ends. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /**
   * Looks at once.
   * @throws why the job ends, and what `findEnd` fails with
   */
  async requireOpen(): Promise<void> {
    const reason = await this.findEnd();
    if (reason) throw reason;
  }

  /** Looks no more. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private wait(): void {
    if (!this.isClosed && !this.ended.aborted) this.timer = setTimeout(() => void this.look(), LOOK_MS).unref();
  }

  private async look(): Promise<void> {
    const reason = await this.findEnd().catch(() => undefined);
    if (reason && !this.isClosed) this.ending.abort(reason);
    this.wait();
  }
}
