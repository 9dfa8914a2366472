import type { Caller } from '../../access/caller.js';
import { Outdated } from '../../errors.js';
import type { AudioUploads } from '../recordings/audio-uploads.js';
import { BytesUpload } from '../recordings/bytes-upload.js';
import { LIVE_HEAD_BYTES, liveHead } from './live-format.js';
import type { LiveFormat } from './live-format.js';

/** What comes within this time is stored together. */
const STORE_MS = 1_000;
/** What is stored at once, and what may wait. */
const MOST_BYTES = 512 * 1024 - LIVE_HEAD_BYTES;

interface LiveRecordingParts {
  readonly caller: Caller;
  readonly uploads: Pick<AudioUploads, 'send'>;
  readonly recordingId: string;
  /** Of the session. */
  readonly signal: AbortSignal;
  /** Told how much of the audio is stored for good, in bytes as they were sent. */
  readonly stored: (bytes: number) => void;
  /** Told once when nothing more can be stored. */
  readonly failed: (error: unknown) => void;
}

/** Stores the audio of a session in a recording while it comes: as a WAV file whose length nobody knows yet. */
export class LiveRecording {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** Where in the session's audio the first byte lies that is not stored. */
  private offset = 0;
  private format: LiveFormat | undefined;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(private readonly parts: LiveRecordingParts) {}

  /**
   * Goes on where a client says that it goes on.
   * @param offset in bytes as they were sent; undefined: behind what is stored
   * @returns how much is stored
   * @throws NotFound; Outdated where there would be a gap
   */
  async begin(offset: number | undefined): Promise<number> {
    const { caller, recordingId: id, signal, uploads } = this.parts;
    const { uploadedBytes } = await uploads.send(caller, id, { range: { kind: 'ask' }, upload: undefined, signal });
    const storedBytes = Math.max(0, uploadedBytes - LIVE_HEAD_BYTES);
    if (offset !== undefined && offset > storedBytes)
      throw new Outdated(`The audio has ${storedBytes} bytes so far: go on there.`, { uploaded_bytes: storedBytes });
    this.offset = offset ?? storedBytes;
    return storedBytes;
  }

  /** Takes audio; resolves when more may come. */
  async push(bytes: Buffer, format: LiveFormat): Promise<void> {
    if (this.hasFailed) return;
    this.format ??= format;
    // A message is no larger than what is stored at once.
    if (this.waitingBytes + bytes.length > MOST_BYTES) await this.flush();
    this.waiting.push(Buffer.from(bytes));
    this.waitingBytes += bytes.length;
    this.timer ??= setTimeout(() => void this.flush(), STORE_MS);
  }

  /** Stores what waits. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storing = this.storing.then(() => this.store());
    return this.storing;
  }

  /** Stores what waits, and says that it was all. @throws as `AudioUploads.send` does */
  async end(): Promise<void> {
    await this.flush();
    if (this.hasFailed || this.offset === 0) return;
    const { caller, recordingId: id, signal, uploads } = this.parts;
    const total = this.offset + LIVE_HEAD_BYTES;
    await uploads.send(caller, id, { range: { kind: 'end', total }, upload: undefined, signal });
  }

  private async store(): Promise<void> {
    if (this.waitingBytes === 0 || this.hasFailed || !this.format) return;
    const { caller, recordingId: id, uploads, stored, failed } = this.parts;
    const audio = this.offset === 0 ? [liveHead(this.format), ...this.waiting] : this.waiting;
    const bytes = Buffer.concat(audio);
    const sent = this.waitingBytes;
    this.waiting = [];
    this.waitingBytes = 0;
    const start = this.offset === 0 ? 0 : this.offset + LIVE_HEAD_BYTES;
    const range = { kind: 'piece', start, end: start + bytes.length, total: undefined } as const;
    try {
      // What has come is stored also where the client has left.
      const upload = new BytesUpload(bytes);
      await uploads.send(caller, id, { range, upload, isLive: true, signal: new AbortController().signal });
      this.offset += sent;
      stored(this.offset);
    } catch (error) {
      this.hasFailed = true;
      failed(error);
    }
  }
}
