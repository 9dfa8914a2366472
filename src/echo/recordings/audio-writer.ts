import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { NotFound, Outdated, PayloadTooLarge, Unavailable, UnsupportedMediaType } from '../../errors.js';
import type { AudioType } from '../../platform/audio/audio.types.js';
import { AUDIO_DETECTION_BYTES } from '../../platform/audio/detect-audio.js';
import type { BlobOwner, StorageLimits, WrittenBlob } from '../../platform/blobs/blob.types.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import { NewestFirst } from './newest-first.js';
import { lockOwn } from './recording-access.js';
import type { RecordingOwner } from './recording-access.js';
import { Recording } from './recording.entity.js';
import { RecordingPiece } from './recording-piece.entity.js';

/** What the blobs of audio are for. */
export const AUDIO_BLOB = 'recording_audio';
/** A piece has so many bytes at most. */
export const PIECE_BYTES = 8 * 1024 * 1024;
/** What is appended to a shorter piece is stored with it: audio that comes in drops does not become as many files. */
const SHORT_BYTES = 1024 * 1024;
/** What is needed to tell what audio is. */
const HEAD_BYTES = AUDIO_DETECTION_BYTES;
const LAST_PIECE = `
  SELECT start_byte::float8 AS "startByte", size_bytes::float8 AS "sizeBytes", blob_key AS "blobKey"
  FROM recording_pieces WHERE recording_id = $1 ORDER BY start_byte DESC LIMIT 1`;

/** Tells by its first bytes what audio is; undefined: no audio that is known. */
export type AudioDetector = (head: Uint8Array) => Promise<Pick<AudioType, 'mediaType'> | undefined>;

interface AudioWriterParts {
  readonly dataSource: DataSource;
  readonly blobs: Pick<Blobs, 'discard' | 'isElsewhere' | 'keep' | 'open' | 'release' | 'write'>;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  readonly detect: AudioDetector;
  readonly maxBytes: number;
  /** Told when a recording has changed. */
  readonly changed: (recordingId: string) => void;
}

/** Whoever stores the audio of a recording at this moment. */
export interface AudioTurn {
  readonly recordingId: string;
  readonly owner: BlobOwner;
  /** Proves that it is its turn: another one begins by replacing it. */
  readonly token: string;
  /** How far the audio is stored for good. */
  uploadedBytes: number;
  mediaType: string | null;
  /** Whether all of it is there, and nothing may be appended. */
  readonly isWhole: boolean;
  /** Aborted with Outdated when somebody else begins in this process. */
  readonly signal: AbortSignal;
}

interface LastPiece {
  readonly startByte: number;
  readonly sizeBytes: number;
  readonly blobKey: string;
}

/**
 * Stores the audio of recordings, a piece at a time. One writer at a time: whoever begins last has the turn, and what
 * others commit from then on is refused, so a client that has lost its connection need not wait for it to end.
 */
export class AudioWriter {
  private readonly turns = new Map<string, AbortController>();
  private readonly beginnings = new NewestFirst();

  constructor(private readonly parts: AudioWriterParts) {}

  /**
   * Begins a turn.
   * @param check refuses a recording that does not take what is to come; it is locked, and changed by nobody else
   * @throws NotFound also for recordings of others; Outdated where another one has begun meanwhile; what `check` throws
   */
  async begin(
    owner: RecordingOwner,
    recordingId: string,
    check: (recording: Recording, tx: EntityManager) => Promise<void> | void,
  ): Promise<AudioTurn> {
    const token = randomUUID();
    const lock = (): Promise<Recording> =>
      this.parts.dataSource.transaction(async (tx) => {
        const locked = await lockOwn(tx, owner, recordingId);
        await check(locked, tx);
        await tx.update(Recording, { id: recordingId }, { writer: token });
        return locked;
      });
    // Whoever waited for the lock in the database would hold one of its few connections.
    const subject = JSON.stringify([owner.tenantId, owner.userId, recordingId]);
    const recording = await this.beginnings.run(subject, lock, (newer) => superseded(newer.uploadedBytes));
    const { uploadedBytes, mediaType, tenantId, ownerId: userId } = recording;
    const isWhole = recording.status !== 'created';
    const ending = new AbortController();
    this.turns.get(recordingId)?.abort(superseded(uploadedBytes));
    this.turns.set(recordingId, ending);
    return {
      recordingId,
      owner: { tenantId, userId },
      token,
      uploadedBytes,
      mediaType,
      isWhole,
      signal: ending.signal,
    };
  }

  /** Ends a turn. */
  end({ recordingId, signal }: AudioTurn): void {
    if (this.turns.get(recordingId)?.signal === signal) this.turns.delete(recordingId);
  }

  /**
   * Stores one more piece behind what is stored; when it resolves it survives a power cut.
   * @param source at most `PIECE_BYTES`; what fails in it fails this, and leaves nothing
   * @throws Outdated where it is another one's turn; NotFound where the recording is gone; UnsupportedMediaType where it
   * is no audio; PayloadTooLarge, StorageExceeded, Unavailable; the reason of the signal
   */
  async append(
    turn: AudioTurn,
    source: AsyncIterable<Uint8Array>,
    { expectedBytes, signal }: { readonly expectedBytes?: number | undefined; readonly signal: AbortSignal },
  ): Promise<void> {
    const { blobs, storageLimits, maxBytes, changed } = this.parts;
    const { recordingId, owner } = turn;
    const short = await this.shortPiece(turn);
    const before = short?.sizeBytes ?? 0;
    if (turn.uploadedBytes >= maxBytes) throw new PayloadTooLarge(maxBytes, 'The audio');
    const room = Math.min(PIECE_BYTES, maxBytes - turn.uploadedBytes) + before;
    const kept = short && (await blobs.open(short.blobKey, { signal }));
    if (short && !kept) throw new Unavailable('The audio cannot be stored at the moment. Please try again.');
    const written = await blobs.write(
      owner,
      {
        kind: AUDIO_BLOB,
        ...(expectedBytes !== undefined && { expectedBytes: Math.min(expectedBytes + before, room) }),
        maxBytes: room,
        limits: await storageLimits(owner),
        signal,
      },
      joined(kept, source),
    );
    try {
      const sizeBytes = written.sizeBytes - before;
      const mediaType = turn.mediaType ?? (await this.detect(turn, short, written, signal));
      await this.commit(turn, { written, short, mediaType });
      turn.uploadedBytes += sizeBytes;
      turn.mediaType = mediaType;
    } catch (error) {
      await blobs.discard([written.key]);
      throw error;
    }
    changed(recordingId);
  }

  /** What the audio is whose first piece this is; null where too little of it is there to tell. @throws UnsupportedMediaType */
  private async detect(
    { uploadedBytes }: AudioTurn,
    short: LastPiece | undefined,
    written: WrittenBlob,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (uploadedBytes > 0 && short?.startByte !== 0) return null;
    return this.typeOf(written.key, { isWhole: written.sizeBytes >= HEAD_BYTES, signal });
  }

  /** What audio is that is shorter than what is usually looked at. @throws UnsupportedMediaType */
  async typeOfWhole(recordingId: string, signal: AbortSignal): Promise<string | null> {
    const first = await this.parts.dataSource.manager.findOneBy(RecordingPiece, { recordingId, startByte: 0 });
    return first && this.typeOf(first.blobKey, { isWhole: true, signal });
  }

  /**
   * What the audio in a blob is, by its beginning.
   * @param options `isWhole`: no more will come that could tell
   * @returns null where more may tell @throws UnsupportedMediaType
   */
  private async typeOf(
    key: string,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal },
  ): Promise<string | null> {
    const chunks: Uint8Array[] = [];
    const bytes = await this.parts.blobs.open(key, { end: HEAD_BYTES, signal });
    for await (const chunk of bytes ?? []) chunks.push(chunk);
    const found = await this.parts.detect(Buffer.concat(chunks));
    if (found) return found.mediaType;
    if (isWhole) throw new UnsupportedMediaType('This is no audio of a format that is known.');
    return null;
  }

  private async commit(
    { recordingId, token, uploadedBytes }: AudioTurn,
    piece: { readonly written: WrittenBlob; readonly short: LastPiece | undefined; readonly mediaType: string | null },
  ): Promise<void> {
    const { dataSource, blobs } = this.parts;
    const { written, short, mediaType } = piece;
    const startByte = short?.startByte ?? uploadedBytes;
    await dataSource.transaction(async (tx) => {
      await requireTurn(tx, { recordingId, token });
      if (short) await tx.delete(RecordingPiece, { recordingId, startByte });
      const { key: blobKey, sizeBytes } = written;
      await tx.insert(RecordingPiece, { recordingId, startByte, sizeBytes, blobKey });
      await tx.update(Recording, { id: recordingId }, { uploadedBytes: startByte + sizeBytes, mediaType });
      await blobs.keep(tx, [blobKey]);
      if (short) await blobs.release(tx, [short.blobKey]);
    });
  }

  private async shortPiece({ recordingId, uploadedBytes }: AudioTurn): Promise<LastPiece | undefined> {
    const { dataSource, blobs } = this.parts;
    const [last] = await dataSource.query<LastPiece[]>(LAST_PIECE, [recordingId]);
    const isLast = last && last.startByte + last.sizeBytes === uploadedBytes;
    if (!isLast || last.sizeBytes >= SHORT_BYTES || (await blobs.isElsewhere(last.blobKey))) return undefined;
    return last;
  }
}

/**
 * Locks the recording of a turn.
 * @throws Outdated where it is another one's turn; NotFound where the recording is gone
 */
export async function requireTurn(
  tx: EntityManager,
  { recordingId: id, token }: Pick<AudioTurn, 'recordingId' | 'token'>,
): Promise<Recording> {
  const recording = await tx.findOne(Recording, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!recording || recording.deletedTime) throw new NotFound('The recording does not exist.');
  if (recording.writer !== token) throw superseded(recording.uploadedBytes);
  return recording;
}

function superseded(uploadedBytes: number): Outdated {
  return new Outdated('Another request sends the audio of this recording.', { uploaded_bytes: uploadedBytes });
}

async function* joined(
  first: AsyncIterable<Uint8Array> | undefined,
  second: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first) yield* first;
  yield* second;
}
