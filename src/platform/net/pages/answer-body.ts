import { Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { systemCode } from '../../operational-error.js';
import type { ByteSource } from '../exchange.js';
import type { ContentCoding } from './answer-head.js';
import { PageRefused } from './page-refused.js';

/** How a body is read. */
export interface BodyLimits {
  /** The most bytes, as they come and decoded. */
  readonly bytes: number;
  /** What comes beyond them is left away; otherwise it is refused. */
  readonly isCut?: boolean;
  /** Waits until there is room for a large one; called once, when so many bytes have come as every body may have. */
  readonly makeRoom?: () => Promise<void>;
}

/** What every body may have at once, in bytes. */
export const SMALL_BODY_BYTES = 256 * 1024;

/**
 * Reads a body, and undoes its content coding. Whatever happens, the exchange is over then.
 * @throws PageRefused too_large or unsupported_encoding; what the source or `makeRoom` throws
 */
export async function readBody(
  source: ByteSource,
  coding: ContentCoding | undefined,
  limits: BodyLimits,
): Promise<Buffer> {
  const collector = new Collector(limits);
  try {
    const coded = bytesOf(source, limits);
    if (coding === undefined) await collector.addAll(coded);
    else await decode(source, coded, coding, collector);
  } finally {
    // After a clean end it does nothing.
    source.cancel();
  }
  return collector.bytes;
}

/** Also what decodes to nothing comes to an end. */
async function* bytesOf(source: ByteSource, limits: BodyLimits): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    size += chunk.length;
    yield chunk;
    if (size <= limits.bytes) continue;
    if (limits.isCut) return;
    throw new PageRefused('too_large');
  }
}

async function decode(
  source: ByteSource,
  coded: AsyncGenerator<Buffer, void, undefined>,
  coding: ContentCoding,
  collector: Collector,
): Promise<void> {
  const first = await coded.next();
  if (first.done) return;
  const all = async function* () {
    yield first.value;
    yield* coded;
  };
  const decoder = decoderOf(coding, first.value);
  // Otherwise a source that is silent would hold up the end.
  decoder.once('error', () => source.cancel());
  const collect = async (decoded: AsyncIterable<Buffer>): Promise<void> => {
    try {
      await collector.addAll(decoded);
    } finally {
      source.cancel();
    }
  };
  try {
    await pipeline(Readable.from(all(), { objectMode: false }), decoder, collect);
  } catch (error) {
    if (collector.isDone) return;
    throw isBroken(error) ? new PageRefused('unsupported_encoding', undefined, { cause: error }) : error;
  }
}

function decoderOf(coding: ContentCoding, head: Buffer): Transform {
  if (coding === 'gzip') return createGunzip();
  // Some hosts send it without the head that it should have.
  const hasHead = head.length < 2 || ((head.readUInt8() & 0x0f) === 8 && head.readUInt16BE() % 31 === 0);
  return hasHead ? createInflate() : createInflateRaw();
}

function isBroken(error: unknown): boolean {
  return systemCode(error).startsWith('Z_');
}

/** What is made room for at first, in bytes: most pages have no more. */
const FIRST_BYTES = 32 * 1024;

/** The bytes of one body, in one piece: what has come is not kept until all of it can be joined. */
class Collector {
  /** All that is wanted is there, whatever still comes. */
  isDone = false;
  private buffer = Buffer.alloc(0);
  private size = 0;
  private isLarge = false;

  constructor(private readonly limits: BodyLimits) {}

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** @throws PageRefused too_large */
  async addAll(chunks: AsyncIterable<Buffer>): Promise<void> {
    const { bytes, isCut = false, makeRoom } = this.limits;
    for await (const chunk of chunks) {
      const isTooMuch = this.size + chunk.length > bytes;
      if (isTooMuch && !isCut) throw new PageRefused('too_large');
      this.add(isTooMuch ? chunk.subarray(0, bytes - this.size) : chunk);
      if (this.size >= bytes && isCut) break;
      if (!this.isLarge && this.size > SMALL_BODY_BYTES) {
        this.isLarge = true;
        await makeRoom?.();
      }
    }
    this.isDone = true;
  }

  private add(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (size > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * size, FIRST_BYTES), this.limits.bytes));
      this.bytes.copy(grown);
      this.buffer = grown;
    }
    chunk.copy(this.buffer, this.size);
    this.size = size;
  }
}
