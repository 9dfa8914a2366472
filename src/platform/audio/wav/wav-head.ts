/** The length of the head that `wavHead` makes, in bytes. */
export const WAV_HEAD_BYTES = 44;

/** What is said of the length of a file whose end is not known. */
const UNKNOWN_BYTES = 0xffffffff;

/**
 * The head of a WAV file with one channel of PCM of 16 bits; the samples follow it.
 * @param sampleRate samples a second
 * @param dataBytes the length of the samples; left out, or more than 4 GiB: not known
 */
export function wavHead(sampleRate: number, dataBytes: number = UNKNOWN_BYTES): Buffer {
  const isKnown = dataBytes + WAV_HEAD_BYTES < UNKNOWN_BYTES;
  const head = Buffer.alloc(WAV_HEAD_BYTES);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(isKnown ? dataBytes + WAV_HEAD_BYTES - 8 : UNKNOWN_BYTES, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(isKnown ? dataBytes : UNKNOWN_BYTES, 40);
  return head;
}
