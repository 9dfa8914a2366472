import { Field, ID, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../../graph/connection.js';
import { IdentityProvider } from '../../providers/identity-provider.entity.js';
import { DirectorySyncChange, DirectorySyncCounts, DirectorySyncStatus } from './directory-sync.types.js';

/** One time that the accounts of a directory's people are brought up to date. */
@ObjectType({
  simpleResolvers: true,
  description: "One time that the accounts of a directory's people are brought up to date.",
})
@Entity('directory_syncs')
@Index('directory_syncs_provider_id', ['providerId', 'id'])
@Index('directory_syncs_unfinished', ['providerId'], { unique: true, where: "status IN ('queued', 'running')" })
export class DirectorySync {
  @Field(() => ID, { description: 'Begins with `syn_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'directory_syncs_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `directory_sync`.' })
  readonly object?: string = 'directory_sync';

  @Field(() => ID, { description: 'The directory.' })
  @Column({ type: 'text', name: 'provider_id' })
  providerId!: string;

  @ManyToOne(() => IdentityProvider, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'directory_syncs_provider_id_fkey' })
  provider?: Relation<IdentityProvider>;

  /** That of the provider. */
  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  /** Who asked for it. */
  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  /** What does it. */
  @Column({ type: 'text', name: 'job_id' })
  jobId!: string;

  /** Of the provider, when it was asked for: what other settings have read is no basis. */
  @Column({ type: 'integer', name: 'provider_revision' })
  providerRevision!: number;

  @Field(() => DirectorySyncStatus, { description: 'How it stands.' })
  @Column({ type: 'text' })
  status!: DirectorySyncStatus;

  @Field(() => Boolean, {
    description: 'Whether everybody is read, as the first time, and who has vanished is suspended.',
  })
  @Column({ type: 'boolean' })
  full!: boolean;

  @Field(() => Boolean, { description: 'Whether it only tells what it would do.' })
  @Column({ type: 'boolean', name: 'dry_run' })
  dryRun!: boolean;

  @Field(() => Boolean, { description: 'Whether it may suspend however many.' })
  @Column({ type: 'boolean' })
  force!: boolean;

  @Field(() => DirectorySyncCounts, { description: 'Of the people, so far.' })
  @Column({ type: 'jsonb' })
  counts!: DirectorySyncCounts;

  @Field(() => [String], { description: 'What went wrong; at most 100.' })
  @Column({ type: 'jsonb' })
  errors!: string[];

  @Field(() => [DirectorySyncChange], { description: 'What it would do, where it only tells; at most 1,000.' })
  @Column({ type: 'jsonb' })
  changes!: DirectorySyncChange[];

  /** What was changed in the directory from this time of its own on has not been read; null: everybody must be. */
  @Column({ type: 'text', name: 'high_water', nullable: true })
  highWater!: string | null;

  /** Of all groups; null: nobody knows whether one has changed. */
  @Column({ type: 'text', name: 'groups_digest', nullable: true })
  groupsDigest!: string | null;

  @Field(() => Date, { description: 'When it was asked for.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it began.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was over.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}

/** A page of directory syncs. */
export const DirectorySyncConnection = connectionType('DirectorySync', DirectorySync);
