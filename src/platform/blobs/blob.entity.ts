import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { BlobState } from './blob.types.js';

/** The bytes of a file: there is a row before the first of them, and until the last of them is deleted. */
@Entity('blobs')
@Index('blobs_tenant', ['tenantId'], { where: 'tenant_id IS NOT NULL' })
@Index('blobs_user', ['userId'], { where: 'user_id IS NOT NULL' })
@Index('blobs_writing', ['processId'], { where: "state = 'writing'" })
@Index('blobs_released', ['store', 'deleteAfter'], { where: "state = 'released'" })
export class Blob {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'blobs_pkey' })
  key!: string;

  /** Whose storage it takes; null when it is released, and takes none. */
  @Column({ type: 'text', name: 'tenant_id', nullable: true })
  tenantId!: string | null;

  @Column({ type: 'text', name: 'user_id', nullable: true })
  userId!: string | null;

  /** What it is for. */
  @Column({ type: 'text' })
  kind!: string;

  /** What is counted of it; while it is written, what is reserved. */
  @Column({ type: 'bigint', name: 'size_bytes' })
  sizeBytes!: string;

  /** Of all bytes, as hex digits; null while they still come, and when it is released. */
  @Column({ type: 'text', nullable: true })
  sha256!: string | null;

  @Column({ type: 'text' })
  state!: BlobState;

  /** Who writes it, or has written it. */
  @Column({ type: 'text', name: 'process_id' })
  processId!: string;

  /** Where its bytes lie: `s3`, or the id of a data folder. */
  @Column({ type: 'text' })
  store!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  /** When the bytes of a released one are to be deleted, after a failure later. */
  @Column({ type: 'timestamptz', name: 'delete_after', precision: 3, nullable: true })
  deleteAfter!: Date | null;
}

/** What a tenant or a user has stored. Moved only together with the rows of blobs that it counts. */
@Entity('storage_usage')
@Check('storage_usage_bytes', 'bytes >= 0')
export class StorageUsage {
  /** The id of a user or of a tenant. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'storage_usage_pkey' })
  subject!: string;

  @Column({ type: 'bigint' })
  bytes!: string;
}

/** Which process sweeps a store, and when all that lies there was looked at last. */
@Entity('blob_sweeps')
export class BlobSweep {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'blob_sweeps_pkey' })
  store!: string;

  @Column({ type: 'text', name: 'process_id' })
  processId!: string;

  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3 })
  claimedUntil!: Date;

  @Column({ type: 'timestamptz', name: 'listed_at', precision: 3, nullable: true })
  listedAt!: Date | null;
}

/** The name below which a store keeps the bytes of this database: two databases never take each other's for forgotten. */
@Entity('blob_root')
@Check('blob_root_single', 'id')
export class BlobRoot {
  @PrimaryColumn({ type: 'boolean', default: true, primaryKeyConstraintName: 'blob_root_pkey' })
  id!: boolean;

  @Column({ type: 'text' })
  name!: string;
}
