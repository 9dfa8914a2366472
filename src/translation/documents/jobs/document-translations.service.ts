import { IsNull } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { actorOf } from '../../../access/audit-actor.js';
import type { Caller } from '../../../access/caller.js';
import { BadRequest, Conflict, NotFound } from '../../../errors.js';
import type { Blob } from '../../../graph/blob.types.js';
import type { Upload } from '../../../graph/upload.js';
import { EventIterator } from '../../../platform/async/event-iterator.js';
import type { AuditRecorder } from '../../../platform/audit/audit-recorder.js';
import type { BlobLinks } from '../../../platform/blobs/blob-links.js';
import type { BlobOwner, StorageLimits } from '../../../platform/blobs/blob.types.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';
import { FileIntake } from '../../../platform/blobs/file-intake.js';
import type { TakenFile } from '../../../platform/blobs/file-intake.js';
import type { ReadableBlob } from '../../../platform/blobs/readable-blob.js';
import type { ChangeNotifier } from '../../../platform/cluster/change-notifier.js';
import { isId, newId } from '../../../platform/ids.js';
import type { Translator } from '../../engines/translator.js';
import type { DocumentKind } from '../formats/document-format.js';
import { DOCUMENT_KINDS, detectDocument } from './detect-document.js';
import { optionsOf, parseDocumentRequest } from './document-request.js';
import type { DocumentRequest } from './document-request.js';
import { DocumentTranslation } from './document-translation.entity.js';
import { TRANSLATION_BLOB } from './document-work.js';
import { requireRoom } from './require-room.js';
import type { TranslationJobs } from './translation-jobs.js';

const SOURCE_BLOB = 'document_to_translate';

interface DocumentTranslationsParts {
  /** Whether documents are translated here at all. */
  readonly isOn: boolean;
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly blobs: Blobs;
  readonly links: BlobLinks;
  /** The largest document, in bytes. */
  readonly maxBytes: number;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  /** Told whose stored bytes have changed. */
  readonly storageChanged: (userId: string) => void;
  readonly translator: Pick<Translator, 'check'>;
  readonly jobs: Pick<TranslationJobs, 'enqueue'>;
  readonly notifier: ChangeNotifier;
}

/** The documents that users have translated. They are seen by whoever sent them alone. */
export class DocumentTranslationsService {
  constructor(private readonly parts: DocumentTranslationsParts) {}

  /**
   * Stores a document, to be translated soon.
   * @throws Conflict `capability_not_supported` where the preview is off, or no model serves what is wanted; NotFound
   * `model_not_found`; Conflict `model_not_allowed`; BadRequest, UnsupportedMediaType, PayloadTooLarge, StorageExceeded,
   * Unavailable
   */
  async add(caller: Caller, upload: Upload, signal: AbortSignal): Promise<DocumentTranslation> {
    this.requireOn();
    const { blobs, maxBytes, storageLimits } = this.parts;
    const detection = { detect: detectDocument, kinds: DOCUMENT_KINDS };
    const intake = new FileIntake({ blobs, kind: SOURCE_BLOB, maxBytes, storageLimits, detection }, caller, signal);
    try {
      const { files, fields } = await upload.receive(intake.take);
      const [file] = files;
      if (!file) throw new BadRequest('Send a document as a part named file.', 'file');
      const request = parseDocumentRequest(fields);
      await this.parts.translator.check(caller, optionsOf(request));
      await this.requireRoom(caller, file, signal);
      return await this.store(caller, file, request);
    } catch (error) {
      await intake.discard();
      throw error;
    }
  }

  /** @throws NotFound also for those of others; Conflict where the preview is off */
  async get(caller: Caller, id: string): Promise<DocumentTranslation> {
    this.requireOn();
    return find(this.parts.dataSource.manager, caller, id);
  }

  /** The address of the document in the other language. @throws as `get` does; Conflict where it is not there yet */
  async content(caller: Caller, id: string): Promise<Blob> {
    const { resultKey, mimeType, resultBytes, resultSha256, filename } = await this.get(caller, id);
    if (resultKey === null) throw new Conflict('conflict', 'The document is not translated: see its status.');
    const { tenantId, userId } = caller;
    const url = this.parts.links.urlOf({ kind: TRANSLATION_BLOB, key: id, tenantId, userId });
    return { url, mediaType: mimeType, sizeBytes: resultBytes, sha256: resultSha256, filename };
  }

  /** A document as it is sent; undefined where the user may not have it, or not any more. */
  async read(user: BlobOwner, id: string): Promise<ReadableBlob | undefined> {
    const { dataSource, blobs } = this.parts;
    const { tenantId, userId: ownerId } = user;
    const where = { id, tenantId, ownerId, deletedTime: IsNull() };
    const document = isId('job', id) && (await dataSource.manager.findOneBy(DocumentTranslation, where));
    if (!document || document.resultKey === null || document.resultBytes === null || document.resultSha256 === null)
      return undefined;
    const { mimeType: mediaType, filename, resultBytes: sizeBytes, resultSha256: sha256, resultKey } = document;
    return { mediaType, filename, sizeBytes, sha256, open: (range) => blobs.open(resultKey, range) };
  }

  /** A document as it is, and whenever it has changed. @throws as `get` does, also when it is gone */
  async watch(caller: Caller, id: string): Promise<AsyncIterableIterator<DocumentTranslation>> {
    await this.get(caller, id);
    const { notifier } = this.parts;
    return new EventIterator<string, DocumentTranslation>({
      listen: (push) => {
        push(id);
        return notifier.listen(id, () => push(id));
      },
      read: () => this.get(caller, id),
      capacity: 1,
    });
  }

  /** Deletes a document and its translation; a job that works on it ends. @throws as `get` does */
  async delete(caller: Caller, id: string): Promise<void> {
    this.requireOn();
    const { dataSource, audit, blobs, notifier, storageChanged } = this.parts;
    await dataSource.transaction(async (tx) => {
      const { blobKey, resultKey } = await find(tx, caller, id);
      const gone = { deletedTime: new Date(), blobKey: null, resultKey: null };
      await tx.update(DocumentTranslation, { id }, gone);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'document_translation.delete', id));
      await blobs.release(
        tx,
        [blobKey, resultKey].filter((key) => key !== null),
      );
    });
    notifier.changed(id);
    storageChanged(caller.userId);
  }

  /** The document in the other language is stored while this one still is. */
  private async requireRoom({ tenantId, userId }: Caller, { sizeBytes }: TakenFile<DocumentKind>, signal: AbortSignal) {
    const { blobs, storageLimits } = this.parts;
    const owner = { tenantId, userId };
    const limits = await storageLimits(owner);
    await requireRoom(blobs, owner, { kind: TRANSLATION_BLOB, sizeBytes, limits, signal });
  }

  private async store(
    caller: Caller,
    file: TakenFile<DocumentKind>,
    request: DocumentRequest,
  ): Promise<DocumentTranslation> {
    const { dataSource, audit, blobs, jobs } = this.parts;
    const row = toRow(caller, file, request);
    const document = await dataSource.transaction(async (tx) => {
      const behind = await tx.countBy(DocumentTranslation, {
        ownerId: row.ownerId,
        finishedTime: IsNull(),
        deletedTime: IsNull(),
      });
      await tx.insert(DocumentTranslation, row);
      const stored = tx.create(DocumentTranslation, row);
      await jobs.enqueue(tx, stored, behind);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'document_translation.create', row.id));
      await blobs.keep(tx, [file.key]);
      return stored;
    });
    this.parts.storageChanged(caller.userId);
    return document;
  }

  private requireOn(): void {
    if (this.parts.isOn) return;
    const message = 'This server does not translate documents: its operator has not set PREVIEW_DOCUMENT_TRANSLATION.';
    throw new Conflict('capability_not_supported', message);
  }
}

function eventOf({ tenantId }: Caller, action: `document_translation.${string}`, id: string) {
  return { tenantId, action, target: { type: 'document_translation', id } } as const;
}

/** @throws NotFound */
async function find(tx: EntityManager, { tenantId, userId }: Caller, id: string): Promise<DocumentTranslation> {
  const where = { id, tenantId, ownerId: userId, deletedTime: IsNull() };
  const document = isId('job', id) && (await tx.findOneBy(DocumentTranslation, where));
  if (!document) throw new NotFound('The document does not exist.');
  return document;
}

function toRow(
  { tenantId, userId: ownerId }: Caller,
  { filename, type, sizeBytes, key: blobKey }: TakenFile<DocumentKind>,
  { sourceLanguage: givenLanguage, targetLanguage, model, formality }: DocumentRequest,
) {
  const { mediaType: mimeType, kind } = type;
  return {
    id: newId('job'),
    tenantId,
    ownerId,
    filename,
    mimeType,
    kind,
    sizeBytes,
    blobKey,
    givenLanguage,
    targetLanguage,
    model,
    formality,
    status: 'queued' as const,
    error: null,
    units: null,
    doneUnits: 0,
    warnings: [],
    detectedLanguage: null,
    resultKey: null,
    resultBytes: null,
    resultSha256: null,
    createdTime: new Date(),
    finishedTime: null,
    deletedTime: null,
  };
}
