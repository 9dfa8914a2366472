import { Field, ObjectType } from 'type-graphql';
import { Column } from 'typeorm';
import { wholeNumber } from '../platform/database/whole-number.js';
import type { FileKind } from '../platform/extraction/extraction.types.js';
import { SafeInt } from './safe-int.scalar.js';

/** A file that somebody has sent, whose bytes are a blob: what the types of all domains tell of it, and its columns. */
@ObjectType()
export abstract class FileEntity {
  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  /** Who sent it: its bytes count as that user's, and models are called for that user. */
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @Field(() => String, { description: 'The last part of the path that it was sent with, at most 255 bytes.' })
  @Column({ type: 'text' })
  filename!: string;

  @Field(() => String, { description: 'By its content.' })
  @Column({ type: 'text', name: 'mime_type' })
  mimeType!: string;

  /** What reads it, as `detectType` has told. */
  @Column({ type: 'text' })
  kind!: FileKind;

  @Field(() => SafeInt, { description: 'How many bytes it has.' })
  @Column({ type: 'bigint', name: 'size_bytes', transformer: wholeNumber })
  sizeBytes!: number;

  @Field(() => String, { description: 'Of its bytes, in hexadecimal digits.' })
  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text', name: 'blob_key' })
  blobKey!: string;

  @Field(() => String, { nullable: true, description: 'Why it failed, or waits although it was begun.' })
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Field(() => [String], { description: 'What is to be known of how it was read; for people.' })
  @Column({ type: 'text', array: true, default: {} })
  warnings!: string[];

  /** Set: it is gone for everybody, and what is left of it is being deleted. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;
}
