import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { Tenant, User } from '../../identity/domain.js';
import { wholeNumber } from '../../platform/database/whole-number.js';

/** Files that are searched together (docs/api.md, Knowledge bases). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'Files that are searched together.' })
@Entity('knowledge_bases')
@Index('knowledge_bases_tenant_id', ['tenantId', 'id'])
@Index('knowledge_bases_owner_id', ['ownerId', 'id'])
export class KnowledgeBase {
  @Field(() => ID, { description: 'Begins with `kb_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'knowledge_bases_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `knowledgebase`.' })
  readonly object = 'knowledgebase';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'knowledge_bases_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => ID, { description: 'Who made it: the only one who sees it while it is private.' })
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'knowledge_bases_owner_id_fkey' })
  owner?: Relation<User>;

  @Field(() => String, { description: 'What people call it.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'What it is about; may be empty.' })
  @Column({ type: 'text' })
  description!: string;

  @Field(() => Boolean, {
    description: 'Whether its owner alone sees it; otherwise everybody of the tenant may read it.',
  })
  @Column({ type: 'boolean', name: 'is_private' })
  isPrivate!: boolean;

  @Field(() => String, {
    description: 'The model whose vectors it is searched by, as soon as all of its files have them.',
  })
  @Column({ type: 'text', name: 'embedding_model' })
  embeddingModel!: string;

  @Field(() => Int, { description: 'Its files, in whatever state.' })
  @Column({ type: 'integer', name: 'file_count' })
  fileCount!: number;

  @Field(() => SafeInt, { description: 'The bytes of its files.' })
  @Column({ type: 'bigint', name: 'size_bytes', transformer: wholeNumber })
  sizeBytes!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'How much of it has vectors of its new model, from 0 to 1: until then it is searched by those of the one before. Null where all has.',
  })
  @Column({ type: 'real', name: 'reindex_progress', nullable: true })
  reindexProgress!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the new model makes no vectors at the moment; it is tried again. Null where nothing is wrong.',
  })
  @Column({ type: 'text', name: 'reindex_error', nullable: true })
  reindexError!: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedTime!: Date;

  /** Set: it is gone for everybody, and a job deletes what is left of it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  get createdAt(): number {
    return toSeconds(this.createdTime);
  }

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  get updatedAt(): number {
    return toSeconds(this.updatedTime);
  }
}

/** A page of knowledge bases. */
export const KnowledgeBaseConnection = connectionType('KnowledgeBase', KnowledgeBase);

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
