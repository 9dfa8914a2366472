import { ResponseBuffer } from './idempotency.js';
import type { Attempt } from './idempotency.js';

/** Keeps a stream for its key while it is sent. */
export class ReplayRecorder {
  private readonly copy = new ResponseBuffer();

  constructor(
    private readonly attempt: Attempt,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /**
   * Takes what is about to be sent.
   * @param isLast it ends the answer, which is kept before the client sees that
   */
  async record(bytes: Uint8Array, isLast: boolean): Promise<void> {
    this.copy.add(bytes);
    if (!isLast) return;
    const body = this.copy.whole;
    await this.attempt.keep(body && { status: 200, headers: this.headers, body });
  }
}
