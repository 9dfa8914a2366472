import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { WAV_HEAD_BYTES, wavHead } from './wav-head.js';

const BUFFER_BYTES = 256 * 1024;

/** Writes a WAV file with one channel of PCM of 16 bits, whose head is right when it is finished. */
export class WavWriter {
  private readonly file: FileHandle;
  private readonly sampleRate: number;
  private buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private used = 0;
  private writtenBytes = 0;

  private constructor(file: FileHandle, sampleRate: number) {
    this.file = file;
    this.sampleRate = sampleRate;
  }

  /** Makes the file, for its owner alone. @throws what the file system throws, also where there is one */
  static async create(path: string, sampleRate: number): Promise<WavWriter> {
    const file = await open(path, 'wx', 0o600);
    await file.write(wavHead(sampleRate, 0), 0, WAV_HEAD_BYTES, 0);
    return new WavWriter(file, sampleRate);
  }

  /** The length of the samples so far, in bytes. */
  get dataBytes(): number {
    return this.writtenBytes + this.used;
  }

  /** Adds samples as they are written in the file: 16 bits, little-endian. */
  async write(samples: Uint8Array): Promise<void> {
    for (let place = 0; place < samples.length;) {
      const part = samples.subarray(place, place + BUFFER_BYTES - this.used);
      this.buffer.set(part, this.used);
      this.used += part.length;
      place += part.length;
      if (this.used === BUFFER_BYTES) await this.flush();
    }
  }

  /** Writes what is left, and the head. @returns the length of the file, in bytes */
  async finish(): Promise<number> {
    await this.flush();
    await this.file.write(wavHead(this.sampleRate, this.writtenBytes), 0, WAV_HEAD_BYTES, 0);
    await this.close();
    return WAV_HEAD_BYTES + this.writtenBytes;
  }

  /** Lets go of the file, whole or not. */
  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(): Promise<void> {
    await writeAll(this.file, this.buffer.subarray(0, this.used), WAV_HEAD_BYTES + this.writtenBytes);
    this.writtenBytes += this.used;
    this.used = 0;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let place = 0; place < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, place, bytes.length - place, position + place);
    place += bytesWritten;
  }
}
