import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { DocumentTranslation } from './document-translation.entity.js';

/** Some texts of a document, one behind another, until it is done. */
@Entity('document_translation_batches')
@Index('document_translation_batches_position', ['documentId', 'position'], { unique: true })
export class TranslationBatch {
  /** The document's id and the position. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'document_translation_batches_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'document_id' })
  documentId!: string;

  @ManyToOne(() => DocumentTranslation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'document_id', foreignKeyConstraintName: 'document_translation_batches_document_id_fkey' })
  document?: Relation<DocumentTranslation>;

  /** From 0. */
  @Column({ type: 'integer' })
  position!: number;

  @Column({ type: 'integer' })
  units!: number;

  @Column({ type: 'boolean', name: 'is_translated' })
  isTranslated!: boolean;

  /** `BatchContent` as JSON, sealed with the id as context. */
  @Column({ type: 'bytea', name: 'content_sealed' })
  contentSealed!: Buffer;
}
