import { BadUpstream } from '../../errors.js';
import { AUDIO_RATES, isAudioRate } from '../../platform/audio/audio-rates.js';
import type { ByteSource } from '../../platform/net/egress.js';
import type { PcmSource } from './engine.types.js';
import { toMono16 } from './samples.js';
import type { SampleFormat } from './samples.js';

/** What may stand before the samples. */
const LONGEST_HEAD_BYTES = 64 * 1024;
const MOST_CHANNELS = 8;
const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/**
 * The samples of a WAV file while it arrives, as 16 bits of one channel. What the head says of lengths is not believed:
 * a server that writes a file while it speaks does not know them.
 */
export class WavSource implements PcmSource {
  readonly sampleRate: number;
  private rest: Buffer;

  private constructor(
    private readonly bytes: ByteSource,
    private readonly format: SampleFormat & { readonly sampleRate: number },
    first: Buffer,
  ) {
    this.sampleRate = format.sampleRate;
    this.rest = first;
  }

  /**
   * Reads the head of a WAV file.
   * @param bareRate of bytes that say that they are bare samples; undefined: only a WAV file will do
   * @throws BadUpstream where it is none, or of a kind that is not read; what the source throws
   */
  static async open(bytes: ByteSource, bareRate?: number): Promise<WavSource> {
    let head: Buffer = Buffer.alloc(0);
    for (;;) {
      const isWav = head.length >= 12 && head.toString('latin1', 0, 4) === 'RIFF';
      if (head.length >= 12 && !isWav) {
        if (bareRate === undefined) throw notWav();
        requireRate(bareRate);
        return new WavSource(bytes, { kind: 'int', bytes: 2, channels: 1, sampleRate: bareRate }, head);
      }
      const found = isWav ? readHead(head) : undefined;
      if (found) return new WavSource(bytes, found.format, head.subarray(found.dataStart));
      if (head.length > LONGEST_HEAD_BYTES) throw notWav();
      const more = await bytes.next();
      if (!more) throw head.length === 0 ? new BadUpstream('The model server sent no sound.') : notWav();
      head = Buffer.concat([head, more]);
    }
  }

  async next(): Promise<Buffer | undefined> {
    const frame = this.format.bytes * this.format.channels;
    for (;;) {
      const whole = this.rest.length - (this.rest.length % frame);
      if (whole > 0) {
        const frames = this.rest.subarray(0, whole);
        this.rest = this.rest.subarray(whole);
        return toMono16(frames, this.format);
      }
      const more = await this.bytes.next();
      if (!more) return undefined;
      this.rest = this.rest.length === 0 ? more : Buffer.concat([this.rest, more]);
    }
  }

  cancel(): void {
    this.bytes.cancel();
  }
}

/** Where the samples begin, and what they are; undefined where that is not there yet. @throws BadUpstream */
function readHead(
  head: Buffer,
): { readonly format: SampleFormat & { readonly sampleRate: number }; readonly dataStart: number } | undefined {
  if (head.toString('latin1', 8, 12) !== 'WAVE') throw notWav();
  let format: (SampleFormat & { readonly sampleRate: number }) | undefined;
  for (let at = 12; at + 8 <= head.length;) {
    const id = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    if (id === 'data') {
      if (!format) throw notWav();
      return { format, dataStart: at + 8 };
    }
    if (id === 'fmt ') {
      if (head.length < at + 8 + Math.min(size, 40)) return undefined;
      format = readFormat(head.subarray(at + 8, at + 8 + size));
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function readFormat(chunk: Buffer): SampleFormat & { readonly sampleRate: number } {
  if (chunk.length < 16) throw notWav();
  const said = chunk.readUInt16LE(0);
  const code = said === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : said;
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  const bytes = chunk.readUInt16LE(14) / 8;
  const isKnown = (code === PCM && (bytes === 2 || bytes === 3 || bytes === 4)) || (code === FLOAT && bytes === 4);
  if (!isKnown || channels < 1 || channels > MOST_CHANNELS) throw notWav();
  requireRate(sampleRate);
  return { kind: code === FLOAT ? 'float' : 'int', bytes, channels, sampleRate };
}

/** @throws BadUpstream */
function requireRate(rate: number): void {
  if (isAudioRate(rate)) return;
  throw new BadUpstream(`The model server sent sound of ${rate} Hz; it may have ${AUDIO_RATES.join(', ')} Hz.`);
}

function notWav(): BadUpstream {
  return new BadUpstream('The model server sent sound in a form that was not asked for.');
}
