import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Blob } from '../../graph/blob.types.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import { readTablePage } from '../../graph/table-page.js';
import { EventIterator } from '../../platform/async/event-iterator.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { BlobLinks } from '../../platform/blobs/blob-links.js';
import type { BlobReader } from '../../platform/blobs/readable-blob.js';
import type { ChangeNotifier } from '../../platform/cluster/change-notifier.js';
import { countOwned } from '../../platform/database/count-owned.js';
import { isId, newId } from '../../platform/ids.js';
import { toFileName } from '../../platform/text/file-name.js';
import type { RecordingErasure } from '../erasure/recording-erasure.js';
import type { AudioPieces } from './audio-pieces.js';
import { AUDIO_BLOB } from './audio-writer.js';
import { findOwn, lockOwn, ownedBy } from './recording-access.js';
import { checkedPatch, checkedRecording } from './recording-checks.js';
import { Recording } from './recording.entity.js';
import type { RecordingInput, RecordingPatch } from './recording.inputs.js';

/** Recordings of one user. */
const MAX_RECORDINGS = 10_000;

interface RecordingsParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly links: BlobLinks;
  readonly pieces: Pick<AudioPieces, 'open'>;
  readonly erasure: Pick<RecordingErasure, 'enqueue'>;
  readonly notifier: ChangeNotifier;
}

/** Recordings, each its user's alone: those of others do not exist, for administrators neither. */
export class RecordingsService {
  constructor(private readonly parts: RecordingsParts) {}

  /** A page of the caller's. */
  list(caller: Caller, page: PageArgs): Promise<Connection<Recording>> {
    const table = this.parts.dataSource.getRepository(Recording);
    return readTablePage<Recording, Recording>(page, table, ownedBy(caller), (row) => row);
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<Recording> {
    return findOwn(this.parts.dataSource.manager, caller, id);
  }

  /** Those of the ids that are the caller's, in any order. */
  find(caller: Caller, ids: readonly string[]): Promise<Recording[]> {
    return this.parts.dataSource.manager.find(Recording, { where: { ...ownedBy(caller), id: In([...ids]) } });
  }

  /** Makes a recording, whose audio comes later. @throws BadRequest that names the field; Conflict where there are too many */
  async create(caller: Caller, input: RecordingInput): Promise<Recording> {
    const { dataSource, audit } = this.parts;
    const recording = dataSource
      .getRepository(Recording)
      .create(newRecording(caller, checkedRecording(input)) as object);
    await dataSource.transaction(async (tx) => {
      const count = await countOwned(tx, Recording, 'ownerId', caller.userId);
      if (count >= MAX_RECORDINGS) {
        throw new Conflict('conflict', `A user may have ${MAX_RECORDINGS} recordings at most.`);
      }
      await tx.insert(Recording, recording as never);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'recording.create', recording.id));
    });
    return recording;
  }

  /** @throws NotFound also for those of others; BadRequest that names the field */
  async update(caller: Caller, id: string, patch: RecordingPatch): Promise<Recording> {
    const { dataSource, audit, notifier } = this.parts;
    const recording = await dataSource.transaction(async (tx) => {
      const locked = await lockOwn(tx, caller, id);
      const changes = checkedPatch(patch, locked);
      if (Object.keys(changes).length > 0) await tx.update(Recording, { id }, changes as never);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'recording.update', id));
      return findOwn(tx, caller, id);
    });
    notifier.changed(id);
    return recording;
  }

  /** Deletes a recording: it is gone when this has returned, its audio soon after. @throws NotFound also for those of others */
  async delete(caller: Caller, id: string): Promise<void> {
    const { dataSource, audit, erasure, notifier } = this.parts;
    await dataSource.transaction(async (tx) => {
      const { tenantId } = await lockOwn(tx, caller, id);
      await tx.update(Recording, { id }, { deletedTime: new Date(), writer: null });
      await erasure.enqueue(tx, { recordingId: id }, tenantId);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'recording.delete', id));
    });
    notifier.changed(id);
  }

  /**
   * A recording as it is, and then whenever it has changed. It ends with NotFound when it is gone.
   * @throws NotFound also for those of others
   */
  async watch(caller: Caller, id: string): Promise<AsyncIterableIterator<Recording>> {
    await this.get(caller, id);
    const { notifier } = this.parts;
    return new EventIterator<string, Recording>({
      capacity: 1,
      listen: (push) => {
        push(id);
        return notifier.listen(id, () => push(id));
      },
      read: () => this.get(caller, id),
    });
  }

  /** The address of the audio that is stored. @throws NotFound also for recordings of others, and where there is none */
  async audio(caller: Caller, id: string): Promise<Blob> {
    const recording = await this.get(caller, id);
    if (recording.uploadedBytes === 0) throw new NotFound('The recording has no audio yet.');
    const { tenantId, userId } = caller;
    const { mediaType, uploadedBytes: sizeBytes, sha256 } = recording;
    const url = this.parts.links.urlOf({ kind: AUDIO_BLOB, key: id, tenantId, userId });
    return { url, mediaType: mediaType ?? UNKNOWN_TYPE, sizeBytes, sha256, filename: filenameOf(recording) };
  }

  /** What the addresses of audio lead to. */
  get blobReaders(): Readonly<Record<string, BlobReader>> {
    const { dataSource, pieces } = this.parts;
    const read: BlobReader = async (user, id) => {
      const where = { ...ownedBy(user), id };
      const recording = isId('rec', id) ? await dataSource.manager.findOneBy(Recording, where) : null;
      if (!recording || recording.uploadedBytes === 0) return undefined;
      const { mediaType, uploadedBytes: sizeBytes, sha256 } = recording;
      return {
        mediaType: mediaType ?? UNKNOWN_TYPE,
        filename: filenameOf(recording),
        sizeBytes,
        ...(sha256 !== null && { sha256 }),
        // More may have come since the size was told.
        open: async ({ start = 0, end = sizeBytes, signal }) => pieces.open(id, { start, end, signal }),
      };
    };
    return { [AUDIO_BLOB]: read };
  }
}

const UNKNOWN_TYPE = 'application/octet-stream';

function filenameOf({ filename, title }: Recording): string {
  return filename === '' ? toFileName(title, 'recording') : filename;
}

function newRecording(
  caller: Caller,
  settings: ReturnType<typeof checkedRecording>,
): Omit<Recording, 'object' | 'userId'> {
  const now = new Date();
  return {
    id: newId('rec'),
    tenantId: caller.tenantId,
    ownerId: caller.userId,
    ...settings,
    status: 'created',
    error: null,
    uploadedBytes: 0,
    totalBytes: null,
    writer: null,
    mediaType: null,
    sha256: null,
    durationSeconds: null,
    model: null,
    speakers: {},
    run: 0,
    transcriptRun: null,
    progress: 0,
    createdAt: now,
    updatedAt: now,
    transcribedAt: null,
    liveAt: null,
    deletedTime: null,
  };
}

function eventOf({ tenantId }: Caller, action: `recording.${string}`, id: string) {
  return { tenantId, action, target: { type: 'recording', id } } as const;
}
