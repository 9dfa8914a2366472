import { ResponseBuffer } from './stored-response.js';
import type { StoredResponse } from './stored-response.js';

/** Copies the body of a streamed response while it is sent, so that it can be replayed for its Idempotency-Key. */
export class ReplayRecorder {
  private readonly buffer = new ResponseBuffer();

  /** @param onTooLarge called when it can no longer be stored */
  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    private readonly onTooLarge?: () => void,
  ) {}

  get isTooLarge(): boolean {
    return this.buffer.isFull;
  }

  /** Takes what is about to be sent. */
  record(bytes: Uint8Array): void {
    this.buffer.add(bytes);
    if (this.isTooLarge) this.onTooLarge?.();
  }

  /** The response as it was recorded; undefined where it is too large to be stored. */
  get response(): StoredResponse | undefined {
    const { headers } = this;
    const { body } = this.buffer;
    return body && { status: 200, headers, body };
  }
}
