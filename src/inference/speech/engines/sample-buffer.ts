import { BadUpstream } from '../../../errors.js';
import type { PcmSource } from '../engine.types.js';

const HEAD_BYTES = 44;
/** What is handed out at once: half a second at 16 kHz. */
const PIECE_BYTES = 16 * 1024;

/** Samples that are all there already. */
export class SampleBuffer implements PcmSource {
  private constructor(
    readonly sampleRate: number,
    private samples: Buffer,
    private readonly place: Disposable,
  ) {}

  /**
   * The samples of a WAV file with a head of 44 bytes, of 16 bits and one channel.
   * @param place given back once they are read, or nobody reads them
   * @throws BadUpstream where it is none
   */
  static ofWav(wav: Uint8Array, place: Disposable): SampleBuffer {
    const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
    const isWav = bytes.length >= HEAD_BYTES && bytes.toString('latin1', 36, 40) === 'data';
    if (!isWav || bytes.readUInt16LE(22) !== 1 || bytes.readUInt16LE(34) !== 16)
      throw new BadUpstream('The speech engine failed.');
    const end = bytes.length - ((bytes.length - HEAD_BYTES) % 2);
    return new SampleBuffer(bytes.readUInt32LE(24), bytes.subarray(HEAD_BYTES, end), place);
  }

  async next(): Promise<Buffer | undefined> {
    if (this.samples.length === 0) {
      this.place[Symbol.dispose]();
      return undefined;
    }
    const piece = this.samples.subarray(0, PIECE_BYTES);
    this.samples = this.samples.subarray(PIECE_BYTES);
    return piece;
  }

  cancel(): void {
    this.samples = Buffer.alloc(0);
    this.place[Symbol.dispose]();
  }
}
