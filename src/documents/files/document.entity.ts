import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { FileEntity } from '../../graph/file-entity.js';
import { DocumentSession } from '../sessions/document-session.entity.js';

/** How far a document is. */
export const DocumentStatus = {
  queued: 'queued',
  processing: 'processing',
  ready: 'ready',
  failed: 'failed',
} as const;
/** One of them. */
export type DocumentStatus = keyof typeof DocumentStatus;

registerEnumType(DocumentStatus, {
  name: 'DocumentStatus',
  description: 'How far a document is.',
  valuesConfig: {
    queued: { description: 'Waiting to be processed; `error` says if something is unavailable.' },
    processing: { description: 'It is being read.' },
    ready: { description: 'Its values are there.' },
    failed: { description: 'It could not be read: `error` says why.' },
  },
});

/** A document of a session (docs/api.md, Document Analyzer). */
@ObjectType('AnalyzedDocument', { simpleResolvers: true, description: 'A document of a session.' })
@Entity('documents')
@Index('documents_session_id', ['sessionId', 'id'])
@Index('documents_owner_id', ['ownerId'])
export class Document extends FileEntity {
  @Field(() => ID, { description: 'Begins with `doc_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'documents_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `document_analyzer.document`.' })
  readonly object = 'document_analyzer.document';

  @Field(() => ID, { description: 'The session that it is in.' })
  @Column({ type: 'text', name: 'session_id' })
  sessionId!: string;

  @ManyToOne(() => DocumentSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'documents_session_id_fkey' })
  session?: Relation<DocumentSession>;

  @Field(() => DocumentStatus, { description: 'How far it is.' })
  @Column({ type: 'text' })
  status!: DocumentStatus;

  @Field(() => Int, { nullable: true, description: 'Null before it is read, and where the format has no pages.' })
  @Column({ type: 'integer', nullable: true })
  pages!: number | null;

  @Field(() => [Int], { description: 'Pages that could not be read, from 1.' })
  @Column({ type: 'integer', array: true, name: 'pages_failed' })
  pagesFailed!: number[];

  @Field(() => String, { nullable: true, description: 'The model that reads it beside the rules; null: rules alone.' })
  @Column({ type: 'text', nullable: true })
  model!: string | null;

  /** How often it was begun to be read: what an earlier run has written is not taken for what this one does. */
  @Column({ type: 'integer' })
  run!: number;

  /** The last run whose values are there; 0 before the first. */
  @Column({ type: 'integer', name: 'read_run' })
  readRun!: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  get createdAt(): number {
    return Math.floor(this.createdTime.getTime() / 1_000);
  }
}

/** A page of documents. */
export const DocumentConnection = connectionType('AnalyzedDocument', Document);
