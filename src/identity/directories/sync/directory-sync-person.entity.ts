import { Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { DirectorySync } from './directory-sync.entity.js';

/** A person whom a directory sync that is under way has dealt with: whoever takes it up again does not count them twice. */
@Entity('directory_sync_people')
export class DirectorySyncPerson {
  @PrimaryColumn({ type: 'text', name: 'sync_id', primaryKeyConstraintName: 'directory_sync_people_pkey' })
  syncId!: string;

  @ManyToOne(() => DirectorySync, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'sync_id', foreignKeyConstraintName: 'directory_sync_people_sync_id_fkey' })
  sync?: Relation<DirectorySync>;

  @PrimaryColumn({ type: 'text', name: 'external_id', primaryKeyConstraintName: 'directory_sync_people_pkey' })
  externalId!: string;
}
