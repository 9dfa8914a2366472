import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { BadRequest, Outdated, PayloadTooLarge } from '../../errors.js';
import type { Upload } from '../../graph/upload.js';
import { untilAborted } from '../../platform/async/until-aborted.js';
import type { IncomingFile } from '../../platform/blobs/incoming-file.js';
import type { AudioPieces } from './audio-pieces.js';
import { PIECE_BYTES, requireTurn } from './audio-writer.js';
import type { AudioTurn, AudioWriter } from './audio-writer.js';
import { ByteSource } from './byte-source.js';
import { CONTENT_RANGE } from './content-range.js';
import type { UploadRange } from './content-range.js';
import { endRecording } from './end-recording.js';
import type { RecordingEnding } from './end-recording.js';
import { findOwn, lockOwn } from './recording-access.js';
import { Recording } from './recording.entity.js';
import type { RecordingUpload } from './recording-upload.types.js';

/** What comes within this time is stored together, so that a crash loses no more than that of a slow upload. */
const PIECE_MS = 3_000;
/** How long what has come may still be stored when the client is gone, or the server stops. */
const LAST_PIECE_MS = 5_000;

type PieceRange = Extract<UploadRange, { kind: 'piece' | 'whole' }>;

interface AudioUploadsParts extends RecordingEnding {
  readonly dataSource: DataSource;
  readonly writer: AudioWriter;
  readonly pieces: Pick<AudioPieces, 'open'>;
  readonly maxBytes: number;
  /** Told whose stored bytes have changed. */
  readonly storageChanged: (userId: string) => void;
  /** Told when a recording has changed. */
  readonly changed: (recordingId: string) => void;
}

/** What one request does with the audio of a recording. */
interface UploadRequest {
  readonly range: UploadRange;
  /** Undefined where nothing is sent. */
  readonly upload: Upload | undefined;
  /** Whether it comes from a live session: then the recording is ended where nobody goes on with it. */
  readonly isLive?: boolean;
  readonly signal: AbortSignal;
}

/** Receives the audio of recordings: all of it, or in pieces, of which none that was acknowledged is ever sent again. */
export class AudioUploads {
  constructor(private readonly parts: AudioUploadsParts) {}

  /**
   * Stores what a request sends of the audio of a recording, or tells how much there is.
   * @throws NotFound also for recordings of others; Outdated for a gap, for bytes that are there already and differ, for
   * another length than was told before, and where another request has begun to send; BadRequest, UnsupportedMediaType,
   * PayloadTooLarge, StorageExceeded, Unavailable, ClientGone. What came before that is stored all the same.
   */
  async send(
    caller: Caller,
    id: string,
    { range, upload, isLive = false, signal }: UploadRequest,
  ): Promise<RecordingUpload> {
    const { manager } = this.parts.dataSource;
    if (range.kind === 'ask' || range.kind === 'end') {
      if (upload && !upload.isEmpty) {
        throw new BadRequest(`${CONTENT_RANGE} says that there are no bytes, and there is a body.`, CONTENT_RANGE);
      }
      return range.kind === 'ask' ? this.ask(caller, id, signal) : this.endAt(caller, id, range.total, signal);
    }
    if (!upload || upload.isEmpty) throw new BadRequest('The audio is required.', 'file');
    const { writer, maxBytes, storageChanged } = this.parts;
    const turn = await writer.begin(caller, id, async (recording, tx) => {
      requireFit(recording, range, maxBytes);
      const totalBytes = range.kind === 'piece' ? range.total : undefined;
      if (totalBytes !== undefined && recording.totalBytes === null) await tx.update(Recording, { id }, { totalBytes });
      if (isLive) await tx.update(Recording, { id }, { liveAt: () => 'now()' });
    });
    try {
      await upload.receive(async (file) => {
        await this.take(turn, range, file, signal);
        return { sha256: '' };
      });
      const total = range.kind === 'whole' ? turn.uploadedBytes : range.total;
      if (total !== turn.uploadedBytes) return toUpload(await findOwn(manager, caller, id));
      return await this.finish(caller, id, { total, token: turn.token, signal });
    } finally {
      writer.end(turn);
      storageChanged(caller.userId);
    }
  }

  /** Compares what is there already with what comes, and stores what is behind it. */
  private async take(turn: AudioTurn, range: PieceRange, file: IncomingFile, signal: AbortSignal): Promise<void> {
    const start = range.kind === 'piece' ? range.start : 0;
    const size = range.kind === 'piece' ? range.end - range.start : Number.POSITIVE_INFINITY;
    if (range.kind === 'piece' && file.mostBytes !== undefined && file.mostBytes < size) throw tooShort(turn);
    // Until another request has its turn.
    const source = new ByteSource(untilAborted(file.bytes, turn.signal));
    const storing = new StoringSignal(signal);
    try {
      await this.compare(turn, source, { start, size, signal: storing.signal });
      while (source.readBytes < size && (await source.hasMore())) {
        if (turn.isWhole) throw differs(turn);
        const until = performance.now() + PIECE_MS;
        const left = size - source.readBytes;
        const { mostBytes } = file;
        const coming = Math.min(left, mostBytes === undefined ? 0 : Math.max(0, mostBytes - source.readBytes));
        const expectedBytes = Number.isFinite(coming) ? Math.min(coming, PIECE_BYTES) : 0;
        const most = Math.min(PIECE_BYTES, left, this.parts.maxBytes - turn.uploadedBytes);
        if (most <= 0) throw new PayloadTooLarge(this.parts.maxBytes, 'The audio');
        await this.parts.writer.append(turn, pieceOf(source, most, until), { expectedBytes, signal: storing.signal });
      }
      if (range.kind === 'piece' && source.readBytes === size && (await source.hasMore())) throw tooLong(turn);
      source.throwIfFailed();
      if (range.kind === 'piece' && source.readBytes < size) throw tooShort(turn);
      if (range.kind === 'whole' && source.readBytes < turn.uploadedBytes) throw differs(turn);
      if (source.readBytes === 0) throw new BadRequest('The audio has no bytes.', 'file');
      if (file.filename !== '' && !turn.isWhole) await this.keepName(turn, file.filename);
    } finally {
      source.close();
      storing.close();
    }
  }

  /** Gives a recording the name of what is sent, unless it has one: its user may have chosen that. */
  private async keepName({ recordingId: id }: AudioTurn, filename: string): Promise<void> {
    await this.parts.dataSource.manager.update(Recording, { id, filename: '' }, { filename });
  }

  /** Reads what is there already. @throws Outdated where it differs */
  private async compare(
    turn: AudioTurn,
    source: ByteSource,
    { start, size, signal }: { readonly start: number; readonly size: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const end = Math.min(turn.uploadedBytes, start + size);
    if (end <= start) return;
    for await (const kept of this.parts.pieces.open(turn.recordingId, { start, end, signal })) {
      for (let at = 0; at < kept.byteLength;) {
        const sent = await source.read(kept.byteLength - at);
        if (!sent) return;
        if (Buffer.compare(sent, kept.subarray(at, at + sent.byteLength)) !== 0) throw differs(turn);
        at += sent.byteLength;
      }
    }
  }

  /** Tells how much there is. A server that ended behind the last piece has not said that it was the last. */
  private async ask(caller: Caller, id: string, signal: AbortSignal): Promise<RecordingUpload> {
    const recording = await findOwn(this.parts.dataSource.manager, caller, id);
    const { status, uploadedBytes, totalBytes: total } = recording;
    if (status !== 'created' || total === null || uploadedBytes !== total) return toUpload(recording);
    return this.finish(caller, id, { total, signal });
  }

  /** Ends an upload whose length was not known. @throws Outdated where not all is there */
  private async endAt(caller: Caller, id: string, total: number, signal: AbortSignal): Promise<RecordingUpload> {
    const recording = await findOwn(this.parts.dataSource.manager, caller, id);
    if (total !== recording.uploadedBytes) {
      throw new Outdated(`The audio has ${recording.uploadedBytes} bytes so far, and not ${total}.`, {
        uploaded_bytes: recording.uploadedBytes,
      });
    }
    if (total === 0) throw new BadRequest('The audio has no bytes.', CONTENT_RANGE);
    return this.finish(caller, id, { total, signal });
  }

  /** Says that all audio is there; once. */
  private async finish(
    caller: Caller,
    id: string,
    { total, token, signal }: { readonly total: number; readonly token?: string; readonly signal: AbortSignal },
  ): Promise<RecordingUpload> {
    const { dataSource, audit, writer, changed, transcribe } = this.parts;
    const { mediaType: known } = await findOwn(dataSource.manager, caller, id);
    const mediaType = known ?? (await writer.typeOfWhole(id, signal));
    const recording = await dataSource.transaction(async (tx) => {
      const locked = await lockOwn(tx, caller, id);
      if (locked.status !== 'created') return locked;
      if (token !== undefined) await requireTurn(tx, { recordingId: id, token });
      if (locked.uploadedBytes !== total || (locked.totalBytes ?? total) !== total) throw anotherLength(locked);
      await endRecording(tx, locked, { mediaType, actor: actorOf(caller), audit, transcribe });
      return findOwn(tx, caller, id);
    });
    changed(id);
    return toUpload(recording);
  }
}

/** Aborted a little after the request's, so that what has come may still be stored. */
class StoringSignal {
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly request: AbortSignal) {
    if (request.aborted) this.onAbort();
    else request.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  close(): void {
    clearTimeout(this.timer);
    this.request.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => {
    this.timer = setTimeout(() => this.ending.abort(this.request.reason), LAST_PIECE_MS).unref();
  };
}

/** How much is stored, as a client is told. */
export function toUpload({ id, uploadedBytes, totalBytes, status }: Recording): RecordingUpload {
  return { id, object: 'echo.recording.upload', uploadedBytes, totalBytes, status };
}

async function* pieceOf(source: ByteSource, mostBytes: number, until: number): AsyncGenerator<Uint8Array> {
  for (let left = mostBytes; left > 0;) {
    const bytes = await source.read(left, until);
    if (!bytes) return;
    left -= bytes.length;
    yield bytes;
  }
}

/** @throws Outdated, PayloadTooLarge */
function requireFit(recording: Recording, range: PieceRange, maxBytes: number): void {
  const { status, uploadedBytes, totalBytes } = recording;
  if (range.kind === 'whole') return;
  if (range.start > uploadedBytes) {
    throw new Outdated(`The audio has ${uploadedBytes} bytes so far: the next piece begins there.`, {
      uploaded_bytes: uploadedBytes,
    });
  }
  const isOver = totalBytes !== null && (range.total ?? totalBytes) !== totalBytes;
  if (isOver || (totalBytes !== null && range.end > totalBytes)) throw anotherLength(recording);
  if ((range.total ?? range.end) > maxBytes) throw new PayloadTooLarge(maxBytes, 'The audio');
  if (status !== 'created' && range.end > uploadedBytes) throw anotherLength(recording);
}

function anotherLength({ uploadedBytes, totalBytes }: Recording): Outdated {
  return new Outdated('The audio was said to have another length.', {
    uploaded_bytes: uploadedBytes,
    total_bytes: totalBytes,
  });
}

function differs({ uploadedBytes }: AudioTurn): Outdated {
  return new Outdated('The audio that is there already differs from what was sent.', { uploaded_bytes: uploadedBytes });
}

function tooShort({ uploadedBytes }: AudioTurn): BadRequest {
  return new BadRequest(
    `The body has fewer bytes than ${CONTENT_RANGE} says; ${uploadedBytes} are stored.`,
    CONTENT_RANGE,
  );
}

function tooLong({ uploadedBytes }: AudioTurn): BadRequest {
  return new BadRequest(
    `The body has more bytes than ${CONTENT_RANGE} says; ${uploadedBytes} are stored.`,
    CONTENT_RANGE,
  );
}
