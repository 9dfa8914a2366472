import type { DataSource, EntityManager } from 'typeorm';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.js';
import type { SecretBox } from '../../../platform/crypto/secret-box.js';
import type { InlineText } from '../../units/inline-text.js';
import type { ReplacementLine } from '../child/rewriting.types.js';
import { TranslationBatch } from './translation-batch.entity.js';

const PURPOSE = 'document-translation';

const PENDING = `
  SELECT position FROM document_translation_batches WHERE document_id = $1 AND NOT is_translated ORDER BY position`;

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

/** What a batch has: its texts, or what is to stand in their place. */
export interface BatchContent {
  readonly units?: readonly InlineText[];
  readonly replacements?: readonly ReplacementLine[];
  /** By their sentences: of how many texts. */
  readonly warnings?: Readonly<Record<string, number>>;
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

  /** The batches that wait, by their positions. */
  async pending(documentId: string): Promise<readonly number[]> {
    const rows = await this.dataSource.query<{ position: number }[]>(PENDING, [documentId]);
    return rows.map(({ position }) => position);
  }

  /** The texts of one that waits; undefined where it is gone, or translated already. */
  async unitsOf(documentId: string, position: number): Promise<readonly InlineText[] | undefined> {
    const where = { id: `${documentId}:${position}`, isTranslated: false };
    const row = await this.dataSource.manager.findOneBy(TranslationBatch, where);
    return row ? this.unseal(row).units : undefined;
  }

  /** Puts translations in the place of the texts. @returns false where that was done already */
  async finish(tx: EntityManager, documentId: string, position: number, content: BatchContent): Promise<boolean> {
    const id = `${documentId}:${position}`;
    const done = { isTranslated: true, contentSealed: this.seal(id, content) };
    return (await tx.update(TranslationBatch, { id, isTranslated: false }, done)).affected !== 0;
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
