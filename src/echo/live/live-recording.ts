import type { Caller } from '../../access/caller.js';
import { Conflict, Outdated, PlatformError, Unavailable } from '../../errors.js';
import type { AudioUploads } from '../recordings/audio-uploads.js';
import { BytesUpload } from '../recordings/bytes-upload.js';
import { BlockBuffer } from './block-buffer.js';
import { LIVE_HEAD_BYTES, liveHead } from './live-format.js';
import type { LiveFormat } from './live-format.js';
import type { PaceClock } from './live-pace.js';

/** What comes within this time is stored together: each time takes some 25 statements, which the embedded database does one by one. */
const STORE_MS = 2_000;
/** What is stored at once, and what may wait. */
const MOST_BYTES = 512 * 1024 - LIVE_HEAD_BYTES;

/** Until storing is tried again, in seconds: the last one again and again. */
const PAUSES = [0.5, 1, 2, 5] as const;
/** How long it is tried, in seconds: as long as the session goes on, and once it is over. */
const TRYING_SECONDS = { open: 120, over: 10 } as const;
/** Of memory that is taken at once. */
const BLOCK_BYTES = 16 * 1024;

interface LiveRecordingParts {
  readonly caller: Caller;
  readonly uploads: Pick<AudioUploads, 'send'>;
  readonly recordingId: string;
  /** Of the session. */
  readonly signal: AbortSignal;
  /** Told how much of the audio is stored for good, in bytes as they were sent. */
  readonly stored: (bytes: number) => void;
  /** Told where storing fails, and is tried again. */
  readonly delayed: (error: unknown) => void;
  /** Told once when nothing more can be stored. */
  readonly failed: (error: unknown) => void;
  readonly clock: PaceClock;
}

/** Stores the audio of a session in a recording while it comes: as a WAV file whose length nobody knows yet. */
export class LiveRecording {
  private readonly waiting = new BlockBuffer(BLOCK_BYTES);
  /** Where in the session's audio the first byte lies that is not stored. */
  private offset = 0;
  private format: LiveFormat | undefined;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();
  private hasFailed = false;
  /** Whether what is there already may be of another format. */
  private isUnchecked = false;

  constructor(private readonly parts: LiveRecordingParts) {}

  /**
   * Goes on where a client says that it goes on.
   * @param offset in bytes as they were sent; undefined: behind what is stored
   * @returns how much is stored
   * @throws NotFound; Conflict where the recording is ended; Outdated where there would be a gap
   */
  async begin(offset: number | undefined): Promise<number> {
    const { caller, recordingId: id, signal, uploads } = this.parts;
    const asked = await uploads.send(caller, id, { range: { kind: 'ask' }, upload: undefined, signal });
    const { status, uploadedBytes } = asked;
    if (status !== 'created')
      throw new Conflict('conflict', 'The recording has ended: it takes no more audio.', 'recording_id');
    const storedBytes = Math.max(0, uploadedBytes - LIVE_HEAD_BYTES);
    if (offset !== undefined && offset > storedBytes)
      throw new Outdated(`The audio has ${storedBytes} bytes so far: go on there.`, { uploaded_bytes: storedBytes });
    this.offset = offset ?? storedBytes;
    this.isUnchecked = this.offset > 0;
    return storedBytes;
  }

  /** Takes audio; resolves when more may come. */
  async push(bytes: Buffer, format: LiveFormat): Promise<void> {
    if (this.hasFailed) return;
    this.format ??= format;
    // A message is no larger than what is stored at once.
    if (this.waiting.length + bytes.length > MOST_BYTES) await this.flush();
    this.waiting.push(bytes);
    this.timer ??= setTimeout(() => void this.flush(), STORE_MS);
  }

  /** Stores what waits. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storing = this.storing.then(() => this.store());
    return this.storing;
  }

  /** Stores what waits, and says that it was all. @throws Unavailable where not all is stored; as `AudioUploads.send` does */
  async end(): Promise<void> {
    await this.flush();
    if (this.hasFailed)
      throw new Unavailable('Not all of the audio is stored: open another session, and go on behind what is.', 1);
    if (this.offset === 0) return;
    const { caller, recordingId: id, signal, uploads } = this.parts;
    const total = this.offset + LIVE_HEAD_BYTES;
    await uploads.send(caller, id, { range: { kind: 'end', total }, upload: undefined, signal });
  }

  private async store(): Promise<void> {
    if (this.waiting.length === 0 || this.hasFailed || !this.format) return;
    const sent = this.waiting.length;
    const audio = this.waiting.take();
    const bytes = this.offset === 0 ? Buffer.concat([liveHead(this.format), audio]) : audio;
    try {
      await this.sendPatiently(bytes);
      this.offset += sent;
      this.parts.stored(this.offset);
    } catch (error) {
      this.hasFailed = true;
      this.parts.failed(error);
    }
  }

  /** Tries again where something is down for a while: meanwhile little more is taken, and the client keeps the rest. */
  private async sendPatiently(bytes: Buffer): Promise<void> {
    const { clock, delayed, signal } = this.parts;
    const startedAt = clock.now();
    let overAt: number | undefined;
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.send(bytes);
      } catch (error) {
        const now = clock.now();
        if (signal.aborted) overAt ??= now;
        const isLate = now - startedAt > TRYING_SECONDS.open || now - (overAt ?? now) > TRYING_SECONDS.over;
        if (!isPassing(error) || isLate) throw error;
        if (tries === 0) delayed(error);
        await clock.wait(PAUSES[Math.min(tries, PAUSES.length - 1)] as number);
      }
    }
  }

  private async send(bytes: Buffer): Promise<void> {
    if (this.isUnchecked) await this.requireFormat();
    const start = this.offset === 0 ? 0 : this.offset + LIVE_HEAD_BYTES;
    await this.sendPiece(start, bytes);
  }

  /** Sends the head once more: what is there already is compared. @throws Conflict where it is another one */
  private async requireFormat(): Promise<void> {
    try {
      await this.sendPiece(0, liveHead(this.format as LiveFormat));
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      const message = 'The recording has audio of another format, or another session goes on with it.';
      throw new Conflict('conflict', message, 'session.audio.input.format');
    }
    this.isUnchecked = false;
  }

  private async sendPiece(start: number, bytes: Buffer): Promise<void> {
    const { caller, recordingId: id, uploads } = this.parts;
    const range = { kind: 'piece', start, end: start + bytes.length, total: undefined } as const;
    // What has come is stored also where the client has left.
    const { signal } = new AbortController();
    await uploads.send(caller, id, { range, upload: new BytesUpload(bytes), isLive: true, signal });
  }
}

/** Whether the same may succeed later: a full disk or a lost database, and not a recording that others have. */
function isPassing(error: unknown): boolean {
  return !(error instanceof PlatformError) || error.status >= 500;
}
