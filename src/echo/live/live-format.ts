import { endianness } from 'node:os';
import { Resampler } from '../../platform/audio/resampler.js';
import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import { G711 } from '../../platform/audio/wav/g711.js';
import { wavHead, WAV_HEAD_BYTES } from '../../platform/audio/wav/wav-head.js';

/** How the audio of a session is written. */
export interface LiveFormat {
  readonly encoding: 'pcm' | 'mulaw' | 'alaw';
  /** Samples a second. */
  readonly rate: number;
}

/** What is sent where nothing else is said: that of OpenAI's interface. */
export const DEFAULT_FORMAT: LiveFormat = { encoding: 'pcm', rate: 24_000 };

/** By the numbers of RFC 2361. */
const TAGS = { pcm: 1, alaw: 6, mulaw: 7 } as const;

/** The samples of the codes, of 16 bits. */
const EXPANDED = { mulaw: expandedOf('mulaw'), alaw: expandedOf('alaw') };
const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** The bytes of a second. */
export function bytesPerSecond({ encoding, rate }: LiveFormat): number {
  return encoding === 'pcm' ? rate * 2 : rate;
}

/** The head of a WAV file of unknown length with audio of a format, as it is stored. */
export function liveHead({ encoding, rate }: LiveFormat): Buffer {
  const head = wavHead(rate);
  if (encoding === 'pcm') return head;
  head.writeUInt16LE(TAGS[encoding], 20);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  return head;
}

/** The length of such a head, in bytes. */
export const LIVE_HEAD_BYTES = WAV_HEAD_BYTES;

/** Turns the bytes of a session into samples of 16 kHz, 16 bits, little-endian, while they come. */
export class LiveSamples {
  private readonly resampler: Resampler | undefined;
  private odd: Buffer = Buffer.alloc(0);
  /** Of the rest of a sample that begins elsewhere, in bytes. */
  private skipped: number;

  /** @param startBytes where in the audio the first byte lies */
  constructor(
    private readonly format: LiveFormat,
    startBytes = 0,
  ) {
    this.skipped = format.encoding === 'pcm' ? startBytes % 2 : 0;
    this.resampler = format.rate === DECODED_RATE ? undefined : new Resampler(format.rate, DECODED_RATE);
  }

  push(pushed: Buffer): Buffer {
    const bytes = pushed.subarray(this.skipped);
    this.skipped = Math.max(0, this.skipped - pushed.length);
    const samples = this.format.encoding === 'pcm' ? this.whole(bytes) : this.expand(bytes, this.format.encoding);
    return this.resampler ? this.resampler.push(samples) : samples;
  }

  /** A sample may come in two messages. */
  private whole(bytes: Buffer): Buffer {
    const all = this.odd.length === 0 ? bytes : Buffer.concat([this.odd, bytes]);
    const end = all.length - (all.length % 2);
    this.odd = Buffer.from(all.subarray(end));
    return all.subarray(0, end);
  }

  private expand(bytes: Buffer, encoding: 'mulaw' | 'alaw'): Buffer {
    const samples = new Int16Array(bytes.length);
    const table = EXPANDED[encoding];
    for (let index = 0; index < bytes.length; index += 1) samples[index] = table[bytes[index] as number] as number;
    const expanded = Buffer.from(samples.buffer);
    return IS_LITTLE_ENDIAN ? expanded : expanded.swap16();
  }
}

function expandedOf(encoding: 'mulaw' | 'alaw'): Int16Array {
  return Int16Array.from(G711[encoding], (value) => Math.round(value * 32_767));
}
