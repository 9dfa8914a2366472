const FULL_SCALE = 32_768;
const MOST = 32_767;

/** Samples of 16 bits, little-endian; an odd byte at the end is left out. */
export function fromPcm16(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2) / FULL_SCALE;
  return samples;
}

/** The other way; what is louder than full scale is cut. */
export function toPcm16(samples: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.round((samples[index] ?? 0) * FULL_SCALE);
    bytes.writeInt16LE(Math.max(-FULL_SCALE, Math.min(MOST, sample)), index * 2);
  }
  return bytes;
}
