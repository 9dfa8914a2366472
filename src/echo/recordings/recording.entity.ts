import { Directive, Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { JsonScalar } from '../../graph/json.scalar.js';
import { SafeInt } from '../../graph/safe-int.scalar.js';
import { Tenant, User } from '../../identity/domain.js';
import { wholeNumber } from '../../platform/database/whole-number.js';

/** How far a recording is. */
export const RecordingStatus = {
  created: 'created',
  uploaded: 'uploaded',
  transcribing: 'transcribing',
  completed: 'completed',
  failed: 'failed',
} as const;
/** One of them. */
export type RecordingStatus = keyof typeof RecordingStatus;

registerEnumType(RecordingStatus, {
  name: 'RecordingStatus',
  description: 'How far a recording is.',
  valuesConfig: {
    created: { description: 'Its audio is not there, or not all of it.' },
    uploaded: { description: 'All audio is stored. It is transcribed soon; where it cannot be, `error` says why.' },
    transcribing: { description: 'It is being transcribed; an earlier transcript is served until then.' },
    completed: { description: 'The transcript is there.' },
    failed: { description: 'It could not be transcribed: `error` says why. The audio is kept.' },
  },
});

/** How the audio of a recording comes. */
export const RecordingMethod = { upload: 'upload', live: 'live' } as const;
/** One of them. */
export type RecordingMethod = keyof typeof RecordingMethod;

registerEnumType(RecordingMethod, {
  name: 'RecordingMethod',
  description: 'How the audio of a recording comes.',
  valuesConfig: {
    upload: { description: 'As a file, or in pieces of one.' },
    live: { description: 'While somebody speaks.' },
  },
});

/** How a recording is meant to be recorded. */
export const RecordingQuality = { standard: 'standard', high: 'high' } as const;
/** One of them. */
export type RecordingQuality = keyof typeof RecordingQuality;

registerEnumType(RecordingQuality, {
  name: 'RecordingQuality',
  description: 'How a client is to record; what it sends is stored as it is.',
  valuesConfig: {
    standard: { description: 'Good enough to be understood.' },
    high: { description: 'As good as the device can.' },
  },
});

/** Names of speakers by their labels, such as `{"S1": "Ann"}`. */
export type SpeakerNames = Readonly<Record<string, string>>;

/** Audio that is stored, and what was said in it (docs/api.md, Echo). It is its owner's alone. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'Audio that is stored, and what was said in it.' })
@Entity('recordings')
@Index('recordings_owner_id', ['ownerId', 'id'])
@Index('recordings_tenant_id', ['tenantId', 'id'])
@Index('recordings_live_at', ['liveAt'], { where: "live_at IS NOT NULL AND status = 'created'" })
export class Recording {
  @Field(() => ID, { description: 'Begins with `rec_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'recordings_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `echo.recording`.' })
  readonly object = 'echo.recording';

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'recordings_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Field(() => ID, { deprecationReason: 'Use `userId`.', description: 'The same as `userId`.' })
  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'recordings_owner_id_fkey' })
  owner?: Relation<User>;

  @Field(() => String, { description: 'What people call it.' })
  @Column({ type: 'text' })
  title!: string;

  @Field(() => String, {
    description:
      'What its audio is called when it is fetched: as it was sent, unless another name was given; may be empty.',
  })
  @Column({ type: 'text' })
  filename!: string;

  @Field(() => String, { description: 'What is spoken, such as `en`; empty: the engine finds out.' })
  @Column({ type: 'text' })
  language!: string;

  @Field(() => Boolean, { description: 'Whether its transcript tells speakers apart.' })
  @Column({ type: 'boolean', name: 'diarization_enabled' })
  diarizationEnabled!: boolean;

  @Field(() => RecordingMethod, { description: 'How its audio comes.' })
  @Column({ type: 'text' })
  method!: RecordingMethod;

  @Field(() => RecordingQuality, { description: 'How a client is to record it.' })
  @Column({ type: 'text' })
  quality!: RecordingQuality;

  @Field(() => RecordingStatus, { description: 'How far it is.' })
  @Column({ type: 'text' })
  status!: RecordingStatus;

  @Field(() => String, { nullable: true, description: 'Why it is not transcribed, or not anew; for people.' })
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Field(() => SafeInt, { description: 'How many bytes of its audio are stored for good.' })
  @Column({ type: 'bigint', name: 'uploaded_bytes', transformer: wholeNumber })
  uploadedBytes!: number;

  @Field(() => SafeInt, { nullable: true, description: 'How many bytes its audio has; null while nobody has said.' })
  @Column({ type: 'bigint', name: 'total_bytes', transformer: wholeNumber, nullable: true })
  totalBytes!: number | null;

  /** Who may store more of the audio: the last one who began to. Nobody else's bytes are committed. */
  @Column({ type: 'text', nullable: true })
  writer!: string | null;

  @Field(() => String, { nullable: true, description: 'The type of its audio, by its content; null: not known yet.' })
  @Column({ type: 'text', name: 'media_type', nullable: true })
  mediaType!: string | null;

  @Field(() => String, { nullable: true, description: 'Of its audio, in hexadecimal digits; null: not known yet.' })
  @Column({ type: 'text', nullable: true })
  sha256!: string | null;

  @Field(() => Float, { nullable: true, description: 'How long its audio is, decoded; null: not known yet.' })
  @Column({ type: 'double precision', name: 'duration_seconds', nullable: true })
  durationSeconds!: number | null;

  @Field(() => String, { nullable: true, description: 'The model that is to transcribe it; null: whichever can.' })
  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Field(() => JsonScalar, { description: 'Names of speakers by their labels, such as `{"S1": "Ann"}`.' })
  @Column({ type: 'json' })
  speakers!: SpeakerNames;

  /** How often its transcription was begun: a job of an earlier run has nothing to do any more. */
  @Column({ type: 'integer' })
  run!: number;

  /** The run whose transcript is served; null: none is there. */
  @Column({ type: 'integer', name: 'transcript_run', nullable: true })
  transcriptRun!: number | null;

  @Field(() => Float, { description: 'The share of its audio that is transcribed, from 0 to 1.' })
  @Column({ type: 'real' })
  progress!: number;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** Set by every update of the entity; SQL of its own sets it where clients see what it changes. */
  @Field(() => Date, { description: 'When it last changed: its settings, its audio, or how far it is.' })
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When its transcript was made; null where there is none.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'transcribed_at', nullable: true })
  transcribedAt!: Date | null;

  /** When a live session last stored audio in it; null: none did. */
  @Column({ type: 'timestamptz', precision: 3, name: 'live_at', nullable: true })
  liveAt!: Date | null;

  /** Set: it is gone for everybody, and a job deletes what is left of it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'deleted_at', nullable: true })
  deletedTime!: Date | null;

  @Field(() => ID, { description: 'Whose it is.' })
  get userId(): string {
    return this.ownerId;
  }
}

/** A page of recordings. */
export const RecordingConnection = connectionType('Recording', Recording);
