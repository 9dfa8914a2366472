import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../errors.js';
import { MEBIBYTE } from '../config/variables.js';

const STEP_BYTES = MEBIBYTE;
const RETRY_SECONDS = 30;
const NO_ROOM = 'There is no room for files on the server at the moment. Try again later.';

/** What of the disk is left for files: all that is free, but for a reserve that the database and the log need to go on. */
export class DiskSpace {
  /** What was claimed, and is not on the disk yet. */
  private unwritten = 0;
  /** The largest claim that was refused and would still be; the log has told of it. */
  private lacking = 0;

  /** @param reserveBytes what is left free; 0: the disk is not looked at */
  constructor(
    private readonly reserveBytes: number,
    private readonly log: Pick<Logger, 'error'>,
  ) {}

  /**
   * Claims room for bytes that are about to be written.
   * @throws Unavailable where the disk has none, and nothing is claimed; what the file system throws
   */
  async claim(folder: string, bytes: number): Promise<void> {
    if (this.reserveBytes === 0) return;
    const { bavail, bsize } = await statfs(folder);
    // Nothing is claimed before this is known: what is refused must not refuse what others claim meanwhile.
    const room = bavail * bsize - this.unwritten - this.reserveBytes;
    if (bytes > room) throw this.refusal(bytes, room);
    if (room >= this.lacking) this.lacking = 0;
    this.unwritten += bytes;
  }

  /** Says of claimed bytes that they are written, or will not be. */
  settle(bytes: number): void {
    if (this.reserveBytes > 0) this.unwritten -= bytes;
  }

  /**
   * The bytes of a file on their way to a folder, let through where there is room for them.
   * @param expectedBytes claimed before the first is read; 0: nobody knows how many will come
   * @throws as `claim` does; what the source throws
   */
  async *admit(
    folder: string,
    source: AsyncIterable<Uint8Array>,
    expectedBytes: number,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    yield* admitBytes(source, expectedBytes, {
      reserve: (bytes) => this.claim(folder, bytes),
      written: (bytes) => this.settle(bytes),
      unused: (bytes) => this.settle(bytes),
    });
  }

  private refusal(bytes: number, room: number): Unavailable {
    const { reserveBytes } = this;
    if (this.lacking === 0) {
      this.log.error(
        { freeBytes: room + reserveBytes, reserveBytes, neededBytes: bytes },
        'files are refused, since the disk of DATA_DIR has no room for them: make some, or lower DISK_RESERVE_BYTES',
      );
    }
    this.lacking = Math.max(this.lacking, bytes, 1);
    return new Unavailable(NO_ROOM, RETRY_SECONDS);
  }
}

/** What is told of bytes while they are written. */
export interface ByteReservation {
  /** Takes more. @throws where there is no room */
  reserve(bytes: number): Promise<void>;
  /** Says that so many of those have been written. */
  written(bytes: number): void;
  /** Gives back what will not be written. */
  unused(bytes: number): void;
}

/**
 * Lets bytes through that are reserved: what is expected before the first is read, and what comes beyond in steps.
 * @throws what `reserve` and the source throw
 */
export async function* admitBytes(
  source: AsyncIterable<Uint8Array>,
  expectedBytes: number,
  { reserve, written, unused }: ByteReservation,
): AsyncGenerator<Uint8Array, void, undefined> {
  await reserve(expectedBytes);
  let left = expectedBytes;
  try {
    for await (const chunk of source) {
      if (chunk.length > left) {
        const step = Math.max(STEP_BYTES, chunk.length - left);
        await reserve(step);
        left += step;
      }
      yield chunk;
      // Only now: whoever takes no more of it, as on a write that fails, has not written this one.
      left -= chunk.length;
      written(chunk.length);
    }
  } finally {
    unused(left);
  }
}
