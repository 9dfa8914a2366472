import type { DataSource, EntityManager } from 'typeorm';
import { Unavailable } from '../../errors.js';
import type { ByteRange } from '../../platform/blobs/blob.types.js';
import type { Blobs } from '../../platform/blobs/blobs.js';

const PIECES_AT_ONCE = 100;
/** How often a piece may be replaced while it is looked for: whoever appends to it does that once a turn. */
const MOST_TRIES = 5;
const FIND = `
  SELECT start_byte::float8 AS "startByte", size_bytes::float8 AS "sizeBytes", blob_key AS "blobKey"
  FROM recording_pieces WHERE recording_id = $1 AND start_byte + size_bytes > $2
  ORDER BY start_byte LIMIT ${PIECES_AT_ONCE}`;
const FIRST = `
  SELECT blob_key AS "blobKey" FROM recording_pieces WHERE recording_id = $1 ORDER BY start_byte LIMIT 1`;

interface FoundPiece {
  readonly startByte: number;
  readonly sizeBytes: number;
  readonly blobKey: string;
}

interface AudioPiecesParts {
  readonly dataSource: DataSource;
  readonly blobs: Pick<Blobs, 'open'>;
}

/** Reads the audio of recordings, whose pieces are one stream. */
export class AudioPieces {
  constructor(private readonly parts: AudioPiecesParts) {}

  /**
   * The bytes of a recording from `start` (0) up to but not including `end` (what is stored).
   * @throws Unavailable where the store is away, or bytes are gone; the reason of the signal
   */
  async *open(
    recordingId: string,
    { start = 0, end = Number.POSITIVE_INFINITY, signal }: ByteRange & { readonly signal: AbortSignal },
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let tries = 0;
    for (let position = start; position < end;) {
      const pieces = await this.find(recordingId, position);
      if (pieces.length === 0) return;
      for (const { startByte, sizeBytes, blobKey } of pieces) {
        if (position >= end) return;
        const range = { start: position - startByte, end: Math.min(sizeBytes, end - startByte) };
        const bytes = await this.parts.blobs.open(blobKey, { ...range, signal });
        if (!bytes) {
          // A longer one may have taken its place.
          tries += 1;
          if (tries > MOST_TRIES) throw new Unavailable('The audio cannot be read at the moment.');
          break;
        }
        tries = 0;
        for await (const chunk of bytes) {
          yield chunk;
          position += chunk.byteLength;
        }
      }
    }
  }

  private find(recordingId: string, position: number): Promise<FoundPiece[]> {
    return this.parts.dataSource.query<FoundPiece[]>(FIND, [recordingId, position]);
  }
}

/**
 * The key of the blob with the first audio of a recording, which tells where all of it lies: processes without a shared store
 * do not take pieces of one recording in turns. Undefined: there is none.
 */
export async function findFirstBlob(manager: EntityManager, recordingId: string): Promise<string | undefined> {
  const [first] = await manager.query<{ blobKey: string }[]>(FIRST, [recordingId]);
  return first?.blobKey;
}
