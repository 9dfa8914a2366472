/** How a sample is written, little-endian. */
export interface SampleFormat {
  readonly kind: 'int' | 'float';
  /** Of one sample of one channel: 2, 3 or 4; 4 where it is `float`. */
  readonly bytes: number;
  readonly channels: number;
}

/** Whole frames as signed 16-bit samples of one channel: the mean of all channels. */
export function toMono16(frames: Buffer, { kind, bytes, channels }: SampleFormat): Buffer {
  if (kind === 'int' && bytes === 2 && channels === 1) return frames;
  const count = frames.length / (bytes * channels);
  const samples = Buffer.allocUnsafe(count * 2);
  for (let index = 0; index < count; index += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (index * channels + channel) * bytes;
      sum +=
        kind === 'float' ? fromFloat(frames.readFloatLE(at)) : frames.readIntLE(at, bytes) / 2 ** (8 * (bytes - 2));
    }
    samples.writeInt16LE(clamp(Math.round(sum / channels)), index * 2);
  }
  return samples;
}

/** A sample within the range of 16 bits. */
export function clamp(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, sample));
}

function fromFloat(value: number): number {
  return Number.isFinite(value) ? value * 32_767 : 0;
}
