import { Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { FileEntity } from '../../graph/file-entity.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { KnowledgeBase } from '../bases/knowledge-base.entity.js';

/** How far a file is. */
export const KnowledgeFileStatus = {
  queued: 'queued',
  processing: 'processing',
  ready: 'ready',
  failed: 'failed',
} as const;
/** One of them. */
export type KnowledgeFileStatus = keyof typeof KnowledgeFileStatus;

registerEnumType(KnowledgeFileStatus, {
  name: 'KnowledgeFileStatus',
  description: 'How far a file is.',
  valuesConfig: {
    queued: { description: 'Waiting to be processed; `error` says if something is unavailable.' },
    processing: { description: 'It is being read.' },
    ready: { description: 'Queries find it.' },
    failed: { description: 'It could not be read: `error` says why.' },
  },
});

/** A file of a knowledge base (docs/api.md, Knowledge bases). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A file of a knowledge base.' })
@Entity('knowledge_files')
@Index('knowledge_files_base_id', ['baseId', 'id'])
@Index('knowledge_files_owner_id', ['ownerId'])
@Index('knowledge_files_tenant_id', ['tenantId'])
// The same bytes are in a base once.
@Index('knowledge_files_sha256', ['baseId', 'sha256'], { unique: true, where: 'deleted_at IS NULL' })
export class KnowledgeFile extends FileEntity {
  @Field(() => ID, { description: 'Begins with `file_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'knowledge_files_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `knowledgebase.file`.' })
  readonly object = 'knowledgebase.file';

  @Field(() => ID, { description: 'The knowledge base that it is in.' })
  @Column({ type: 'text', name: 'base_id' })
  baseId!: string;

  @ManyToOne(() => KnowledgeBase, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'base_id', foreignKeyConstraintName: 'knowledge_files_base_id_fkey' })
  base?: Relation<KnowledgeBase>;

  @Field(() => KnowledgeFileStatus, { description: 'How far it is.' })
  @Column({ type: 'text' })
  status!: KnowledgeFileStatus;

  @Field(() => [Int], { description: 'Pages that could not be read, from 1; the others are searched.' })
  @Column({ type: 'integer', array: true, name: 'pages_failed' })
  pagesFailed!: number[];

  @Field(() => Int, { description: 'The passages that queries may find.' })
  @Column({ type: 'integer', name: 'chunk_count' })
  chunkCount!: number;

  @Field(() => Float, { description: 'The share that is done, from 0 to 1.' })
  @Column({ type: 'real' })
  progress!: number;

  @Field(() => String, { nullable: true, description: 'The language of its text (BCP 47), where that is clear.' })
  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Field(() => JsonScalar, { description: 'What it was sent with; queries can be filtered by it.' })
  @Column({ type: 'jsonb' })
  metadata!: JsonObject;

  @Field(() => Date, { description: 'When it was sent.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}

/** A page of files. */
export const KnowledgeFileConnection = connectionType('KnowledgeFile', KnowledgeFile);
