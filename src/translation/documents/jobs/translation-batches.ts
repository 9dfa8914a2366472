import type { DataSource, EntityManager } from 'typeorm';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.js';
import type { SecretBox } from '../../../platform/crypto/secret-box.js';
import type { InlineText } from '../../units/inline-text.js';
import { BatchDraft } from './batch-draft.js';
import type { BatchContent } from './batch-draft.js';
import { TranslationBatch } from './translation-batch.entity.js';

const PURPOSE = 'document-translation';

const PENDING = `
  SELECT position, octet_length(content_sealed) AS "sizeBytes" FROM document_translation_batches
  WHERE document_id = $1 AND NOT is_translated ORDER BY position`;

/** So many are looked for at once. */
const PAGE = 50;

/** Where texts of documents are sealed. */
export const sealedBatches: SealedColumn = {
  table: 'document_translation_batches',
  key: 'id',
  column: 'content_sealed',
  purpose: PURPOSE,
  context: 'key',
};

/** A batch that waits. */
export interface PendingBatch {
  readonly position: number;
  /** As it is stored. */
  readonly sizeBytes: number;
}

/** The texts of documents that are being translated. Nobody reads them in the database. */
export class TranslationBatches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: Pick<SecretBox, 'seal' | 'unseal'>,
  ) {}

  /** Adds texts that are to be translated. */
  async add(tx: EntityManager, documentId: string, position: number, units: readonly InlineText[]): Promise<void> {
    const id = `${documentId}:${position}`;
    const contentSealed = this.seal(id, { units });
    await tx.insert(TranslationBatch, {
      id,
      documentId,
      position,
      units: units.length,
      isTranslated: false,
      contentSealed,
    });
  }

  /** The batches that wait, in their order. */
  pending(documentId: string): Promise<readonly PendingBatch[]> {
    return this.dataSource.query<PendingBatch[]>(PENDING, [documentId]);
  }

  /** One that waits, as far as it is; undefined where it is gone, or translated already. */
  async open(documentId: string, position: number): Promise<BatchDraft | undefined> {
    const where = { id: `${documentId}:${position}`, isTranslated: false };
    const row = await this.dataSource.manager.findOneBy(TranslationBatch, where);
    return row ? new BatchDraft(this.unseal(row)) : undefined;
  }

  /** Stores how far a batch is. @returns false where it is gone, or was translated already */
  async save(tx: EntityManager, documentId: string, position: number, draft: BatchDraft): Promise<boolean> {
    const id = `${documentId}:${position}`;
    const values = { isTranslated: draft.isWhole, contentSealed: this.seal(id, draft.content) };
    return (await tx.update(TranslationBatch, { id, isTranslated: false }, values)).affected !== 0;
  }

  /** What all batches have become, in their order. */
  async *translated(documentId: string): AsyncGenerator<BatchContent, void, undefined> {
    for (let position = 0; ; position += PAGE) {
      const rows = await this.dataSource.manager
        .createQueryBuilder(TranslationBatch, 'b')
        .where('b.document_id = :documentId AND b.position >= :position AND b.position < :end', {
          documentId,
          position,
          end: position + PAGE,
        })
        .orderBy('b.position')
        .getMany();
      for (const row of rows) yield this.unseal(row);
      if (rows.length < PAGE) return;
    }
  }

  private seal(id: string, content: BatchContent): Buffer {
    return this.secretBox.seal(PURPOSE, Buffer.from(JSON.stringify(content)), id);
  }

  private unseal({ id, contentSealed }: TranslationBatch): BatchContent {
    return JSON.parse(this.secretBox.unseal(PURPOSE, contentSealed, id).toString()) as BatchContent;
  }
}
