import { AnswerCopy } from '../graph/idempotency.js';
import type { Attempt } from '../graph/idempotency.js';

/** The end mark of a chat stream. Named streams end with the connection, as far as their clients know. */
const END = /data: \[DONE\]\s*$/;
const END_BYTES = 32;

/** Keeps a stream for its key while it is sent. */
export class StreamKeeper {
  private readonly copy = new AnswerCopy();
  private isKept = false;

  constructor(
    private readonly attempt: Attempt,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Takes what is about to be sent; what ends an answer waits until the answer is kept. */
  async pass(bytes: Uint8Array): Promise<void> {
    this.copy.add(bytes);
    if (END.test(Buffer.from(bytes.subarray(-END_BYTES)).toString('latin1'))) await this.end();
  }

  /** Keeps a whole stream. */
  async end(): Promise<void> {
    if (this.isKept) return;
    this.isKept = true;
    const body = this.copy.whole;
    await this.attempt.keep(body && { status: 200, headers: this.headers, body });
  }
}
