/** A signal that is aborted when nothing has moved for a while. */
export class InactivitySignal {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /** @param ms how long nothing may move */
  constructor(ms: number) {
    this.timer = setTimeout(() => this.controller.abort(), ms).unref();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** To be called whenever something has moved. */
  readonly touch = (): void => {
    this.timer.refresh();
  };

  /** Ends the wait; the signal is not aborted any more. */
  close(): void {
    clearTimeout(this.timer);
  }
}
