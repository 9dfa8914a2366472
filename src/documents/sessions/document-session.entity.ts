import { Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { Tenant, User } from '../../identity/domain.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** How far a session is. */
export const DocumentSessionStatus = {
  open: 'open',
  processing: 'processing',
  review: 'review',
  completed: 'completed',
  failed: 'failed',
} as const;
/** One of them. */
export type DocumentSessionStatus = keyof typeof DocumentSessionStatus;

registerEnumType(DocumentSessionStatus, {
  name: 'DocumentSessionStatus',
  description: 'How far a session is.',
  valuesConfig: {
    open: { description: 'It has no documents yet.' },
    processing: { description: 'Some of its documents are still being read.' },
    review: { description: 'All are read, and some values wait for a person.' },
    completed: { description: 'Nothing waits any more: it takes no documents and no other resolutions.' },
    failed: { description: 'None of its documents could be read.' },
  },
});

/** A schema that a session may have instead of one of its own. */
export const DocumentTemplate = { invoice: 'invoice', contract: 'contract', generic: 'generic' } as const;
/** One of them. */
export type DocumentTemplate = keyof typeof DocumentTemplate;

registerEnumType(DocumentTemplate, {
  name: 'DocumentTemplate',
  description: 'A schema that is there already.',
  valuesConfig: {
    invoice: { description: 'Numbers, dates, parties, amounts and lines of an invoice.' },
    contract: { description: 'Parties, dates, terms and amounts of a contract.' },
    generic: { description: 'Title, date, people, amounts and references of any document.' },
  },
});

/** Documents whose fields are read, and checked by people where that is doubtful (docs/api.md, Document Analyzer). */
@Directive('@key(fields: "id")')
@ObjectType({
  simpleResolvers: true,
  description: 'Documents whose fields are read, and checked where they are doubtful.',
})
@Entity('document_sessions')
@Index('document_sessions_tenant_id', ['tenantId', 'id'])
@Index('document_sessions_owner_id', ['ownerId', 'id'])
export class DocumentSession {
  @Field(() => ID, { description: 'Begins with `das_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'document_sessions_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `document_analyzer.session`.' })
  readonly object = 'document_analyzer.session';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'document_sessions_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => ID, { description: 'Who made it.' })
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'document_sessions_owner_id_fkey' })
  owner?: Relation<User>;

  @Field(() => String, { description: 'What people call it.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => JsonScalar, { description: 'The JSON Schema of what is read from each document; it never changes.' })
  // As it was given: the order of its fields is that of the results.
  @Column({ type: 'json' })
  schema!: JsonObject;

  @Field(() => DocumentTemplate, {
    nullable: true,
    description: 'Where the schema comes from; null for one of its own.',
  })
  @Column({ type: 'text', nullable: true })
  template!: DocumentTemplate | null;

  @Field(() => String, { nullable: true, description: 'The model that reads beside the rules; null: rules alone.' })
  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Field(() => Float, { description: 'Values with less confidence wait for a person; 0 to 1.' })
  @Column({ type: 'double precision', name: 'review_threshold' })
  reviewThreshold!: number;

  @Field(() => Boolean, {
    description:
      'Whether its owner and administrators alone see it; otherwise everybody of the tenant may see and review.',
  })
  @Column({ type: 'boolean', name: 'is_private' })
  isPrivate!: boolean;

  @Field(() => Int, { description: 'Its documents, in whatever state.' })
  @Column({ type: 'integer', name: 'document_count' })
  documentCount!: number;

  @Field(() => Int, { description: 'Documents that are not read yet.' })
  @Column({ type: 'integer', name: 'unfinished_count' })
  unfinishedCount!: number;

  @Field(() => Int, { description: 'Documents that could not be read.' })
  @Column({ type: 'integer', name: 'failed_count' })
  failedCount!: number;

  /** Lowered by what resolves: whoever asked instead whether any is left would miss the last one (two at once see each other's). */
  @Field(() => Int, { description: 'Values that wait for a person.' })
  @Column({ type: 'integer', name: 'pending_count' })
  pendingCount!: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdTime!: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'completed_at', nullable: true })
  completedTime!: Date | null;

  /** Set: it is gone for everybody, and a job deletes what is left of it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;

  @Field(() => DocumentSessionStatus, { description: 'How far it is.' })
  get status(): DocumentSessionStatus {
    if (this.completedTime) return 'completed';
    if (this.documentCount === 0) return 'open';
    if (this.unfinishedCount > 0) return 'processing';
    return this.failedCount === this.documentCount ? 'failed' : 'review';
  }

  @Field(() => SafeInt, { description: 'Unix seconds.' })
  get createdAt(): number {
    return Math.floor(this.createdTime.getTime() / 1_000);
  }

  @Field(() => SafeInt, { nullable: true, description: 'Unix seconds; null before it is completed.' })
  get completedAt(): number | null {
    return this.completedTime && Math.floor(this.completedTime.getTime() / 1_000);
  }
}

/** A page of sessions. */
export const DocumentSessionConnection = connectionType('DocumentSession', DocumentSession);
