import type { DataSource } from 'typeorm';
import type { Erasure } from '../../../domain-module.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';
import { DocumentTranslation } from './document-translation.entity.js';

/** How long a result, or why there is none, is kept. */
export const KEPT_DAYS = 7;

const BATCHES_AT_ONCE = 100;
const DOCUMENTS_AT_ONCE = 100;
const EXPIRE = `
  UPDATE document_translations SET deleted_at = now()
  WHERE deleted_at IS NULL AND finished_at < now() - interval '${KEPT_DAYS} days'`;
const DELETED = `SELECT id FROM document_translations WHERE deleted_at IS NOT NULL LIMIT ${DOCUMENTS_AT_ONCE}`;
/** Of documents that are done, or gone. */
const LEFT_BATCHES = `
  SELECT DISTINCT b.document_id AS id FROM document_translation_batches b
  JOIN document_translations d ON d.id = b.document_id AND d.finished_at IS NOT NULL LIMIT ${DOCUMENTS_AT_ONCE}`;
const DELETE_BATCHES = `
  DELETE FROM document_translation_batches WHERE id IN (
    SELECT id FROM document_translation_batches WHERE document_id = $1 LIMIT ${BATCHES_AT_ONCE}) RETURNING id`;

interface DocumentTranslationErasureParts {
  readonly dataSource: DataSource;
  readonly blobs: Pick<Blobs, 'release'>;
  /** Tells whoever watches a document. */
  readonly changed: (id: string) => void;
}

/** Deletes what is left of documents that are gone, and the texts of those that are done. */
export class DocumentTranslationErasure {
  constructor(private readonly parts: DocumentTranslationErasureParts) {}

  /** All of them, over all processes; what fails is done the next time. */
  async sweep(): Promise<void> {
    const { dataSource } = this.parts;
    const erasure: Erasure = {
      signal: new AbortController().signal,
      transaction: (work) => dataSource.transaction(work),
    };
    await dataSource.query(EXPIRE);
    for (const { id } of await dataSource.query<{ id: string }[]>(DELETED)) await this.erase(id, erasure);
    for (const { id } of await dataSource.query<{ id: string }[]>(LEFT_BATCHES)) await deleteBatches(id, erasure);
  }

  readonly eraseUser = ({ id: ownerId }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseAll({ ownerId }, erasure);

  readonly eraseTenant = ({ id: tenantId }: { readonly id: string }, erasure: Erasure): Promise<void> =>
    this.eraseAll({ tenantId }, erasure);

  private async eraseAll(where: { ownerId: string } | { tenantId: string }, erasure: Erasure): Promise<void> {
    const { manager } = this.parts.dataSource;
    for (;;) {
      const select = { id: true } as const;
      const documents = await manager.find(DocumentTranslation, { select, where, take: DOCUMENTS_AT_ONCE });
      for (const { id } of documents) {
        await erasure.transaction((tx) => tx.update(DocumentTranslation, { id }, { deletedTime: new Date() }));
        this.parts.changed(id);
        await this.erase(id, erasure);
      }
      if (documents.length < DOCUMENTS_AT_ONCE) return;
    }
  }

  private async erase(id: string, erasure: Erasure): Promise<void> {
    await deleteBatches(id, erasure);
    await erasure.transaction(async (tx) => {
      const document = await tx.findOneBy(DocumentTranslation, { id });
      if (!document) return;
      await tx.delete(DocumentTranslation, { id });
      const { blobKey, resultKey } = document;
      await this.parts.blobs.release(
        tx,
        [blobKey, resultKey].filter((key) => key !== null),
      );
    });
  }
}

async function deleteBatches(documentId: string, { signal, transaction }: Erasure): Promise<void> {
  for (let deleted = BATCHES_AT_ONCE; deleted === BATCHES_AT_ONCE;) {
    signal.throwIfAborted();
    const [rows] = await transaction((tx) => tx.query<[object[], number]>(DELETE_BATCHES, [documentId]));
    deleted = rows.length;
  }
}
