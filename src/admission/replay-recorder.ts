import { ResponseBuffer } from './stored-response.js';

/** Copies the body of a streamed response while it is sent, so that it can be replayed for its Idempotency-Key. */
export class ReplayRecorder {
  private readonly buffer = new ResponseBuffer();

  /** @param complete stores the whole body; undefined is one that is too large */
  constructor(private readonly complete: (body: Buffer | undefined) => Promise<void>) {}

  /** Takes what is about to be sent. */
  record(bytes: Uint8Array): void {
    this.buffer.add(bytes);
  }

  /** Stores what was recorded as the whole response; to be awaited before the client sees its end. @throws Unavailable */
  store(): Promise<void> {
    return this.complete(this.buffer.body);
  }
}
