import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { SafeInt } from '../../../graph/safe-int.scalar.js';
import { Tenant, User } from '../../../identity/domain.js';
import { wholeNumber } from '../../../platform/database/whole-number.js';
import type { Formality } from '../../engines/translator.js';
import type { DocumentKind } from '../formats/document-format.js';

/** How far the translation of a document is. */
export const DocumentTranslationStatus = {
  queued: 'queued',
  processing: 'processing',
  completed: 'completed',
  failed: 'failed',
} as const;
/** One of them. */
export type DocumentTranslationStatus = keyof typeof DocumentTranslationStatus;

registerEnumType(DocumentTranslationStatus, {
  name: 'DocumentTranslationStatus',
  description: 'How far the translation of a document is.',
  valuesConfig: {
    queued: { description: 'Waiting to be processed; `error` says if something is unavailable.' },
    processing: { description: 'Its texts are being translated.' },
    completed: { description: 'The document is there in the other language.' },
    failed: { description: 'It could not be translated: `error` says why.' },
  },
});

/** A document that is translated by a job (docs/translation.md, Documents). */
@ObjectType({ simpleResolvers: true, description: 'A document that is translated into another language.' })
@Entity('document_translations')
@Index('document_translations_tenant_id', ['tenantId', 'id'])
@Index('document_translations_owner_id', ['ownerId', 'id'])
@Index('document_translations_finished_at', ['finishedTime'])
export class DocumentTranslation {
  @Field(() => ID, { description: 'Begins with `job_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'document_translations_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `translation.document`.' })
  readonly object = 'translation.document';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'document_translations_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  /** Who alone sees it, and pays for it. */
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'document_translations_owner_id_fkey' })
  owner?: Relation<User>;

  @Field(() => DocumentTranslationStatus, { description: 'How far it is.' })
  @Column({ type: 'text' })
  status!: DocumentTranslationStatus;

  @Field(() => String, { description: 'The last part of the path that it was sent with, at most 255 bytes.' })
  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text', name: 'mime_type' })
  mimeType!: string;

  @Column({ type: 'text' })
  kind!: DocumentKind;

  @Column({ type: 'bigint', name: 'size_bytes', transformer: wholeNumber })
  sizeBytes!: number;

  /** Of the document as it was sent; null when it is done. */
  @Column({ type: 'text', name: 'blob_key', nullable: true })
  blobKey!: string | null;

  @Column({ type: 'text', name: 'result_key', nullable: true })
  resultKey!: string | null;

  @Column({ type: 'bigint', name: 'result_bytes', nullable: true, transformer: wholeNumber })
  resultBytes!: number | null;

  @Column({ type: 'text', name: 'result_sha256', nullable: true })
  resultSha256!: string | null;

  /** As it was asked for. */
  @Column({ type: 'text', name: 'source_language', nullable: true })
  givenLanguage!: string | null;

  @Column({ type: 'text', name: 'detected_language', nullable: true })
  detectedLanguage!: string | null;

  @Field(() => String, { nullable: true, description: 'BCP 47; as it was given or detected, null before.' })
  get sourceLanguage(): string | null {
    return this.givenLanguage ?? this.detectedLanguage;
  }

  @Field(() => String, { description: 'BCP 47.' })
  @Column({ type: 'text', name: 'target_language' })
  targetLanguage!: string;

  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Column({ type: 'text' })
  formality!: Formality;

  @Field(() => Float, { description: 'From 0 to 1, by its texts.' })
  get progress(): number {
    if (this.status === 'completed') return 1;
    // What is left is to write it.
    return this.units === null || this.units === 0 ? 0 : Math.min(0.99, this.doneUnits / this.units);
  }

  @Field(() => Int, { nullable: true, description: 'How many texts it has; null before they are read.' })
  @Column({ type: 'integer', nullable: true })
  units!: number | null;

  @Column({ type: 'integer', name: 'done_units' })
  doneUnits!: number;

  @Field(() => [String], { description: 'What is not as it should be, and of how many texts; nothing of these.' })
  @Column({ type: 'text', array: true })
  warnings!: string[];

  @Field(() => String, { nullable: true, description: 'Why it failed, or waits although it was begun.' })
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  get createdAt(): number {
    return Math.floor(this.createdTime.getTime() / 1_000);
  }

  /** Set: it is completed or failed, and is deleted seven days later. */
  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedTime!: Date | null;

  /** Set: it is gone for everybody, and what is left of it is being deleted. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;
}
