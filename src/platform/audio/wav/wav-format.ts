/** How the samples of a WAV file are written. */
export interface WavFormat {
  readonly encoding: 'integer' | 'float' | 'alaw' | 'mulaw';
  readonly channels: number;
  /** Samples a second, of each channel. */
  readonly sampleRate: number;
  /** Of one sample of one channel. */
  readonly sampleBytes: number;
}

/** By the numbers of RFC 2361. */
const TAGS = { integer: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe } as const;

/** What bits a sample may have, by its encoding. */
const BITS: Readonly<Record<WavFormat['encoding'], readonly number[]>> = {
  integer: [8, 16, 24, 32],
  float: [32, 64],
  alaw: [8],
  mulaw: [8],
};

const MOST_CHANNELS = 64;

/** Behind the format's common part: its size, valid bits, channel mask, and a GUID that begins with the tag. */
const SUB_FORMAT = 24;

/**
 * Reads the content of a `fmt ` chunk. What it says of bytes a second and of frames is not believed but counted.
 * @returns undefined: it is none of the encodings that are read here
 */
export function parseWavFormat(chunk: Buffer): WavFormat | undefined {
  if (chunk.length < 16) return undefined;
  const tag = chunk.readUInt16LE(0);
  const isExtensible = tag === TAGS.extensible && chunk.length >= SUB_FORMAT + 2;
  const encoding = encodingOf(isExtensible ? chunk.readUInt16LE(SUB_FORMAT) : tag);
  const channels = chunk.readUInt16LE(2);
  const sampleRate = chunk.readUInt32LE(4);
  // In an extensible format it is the size of a sample, of which fewer bits may be used: those above.
  const bits = chunk.readUInt16LE(14);
  if (!encoding || !BITS[encoding].includes(bits)) return undefined;
  if (channels < 1 || channels > MOST_CHANNELS || sampleRate === 0) return undefined;
  return { encoding, channels, sampleRate, sampleBytes: bits / 8 };
}

function encodingOf(tag: number): WavFormat['encoding'] | undefined {
  const encodings = ['integer', 'float', 'alaw', 'mulaw'] as const;
  return encodings.find((encoding) => TAGS[encoding] === tag);
}
