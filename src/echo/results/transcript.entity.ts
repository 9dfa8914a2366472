import { Field, Float, ID, ObjectType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { JsonScalar } from '../../graph/json.scalar.js';
import { Recording } from '../recordings/recording.entity.js';
import type { Timing } from '../transcripts/transcripts.types.js';
import type { TranscriptWarning } from './transcript-warning.types.js';

const KEY = { primaryKeyConstraintName: 'transcripts_pkey' };

/** What was said in a recording. */
@ObjectType('RecordingTranscript', { simpleResolvers: true, description: 'What was said in a recording.' })
@Entity('transcripts')
export class RecordedTranscript {
  @Field(() => ID, { description: 'Of the recording.' })
  @PrimaryColumn({ type: 'text', name: 'recording_id', ...KEY })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'transcripts_recording_id_fkey' })
  recording?: Relation<Recording>;

  @PrimaryColumn({ type: 'integer', ...KEY })
  run!: number;

  @Field(() => String, { description: 'The model that has transcribed it.' })
  @Column({ type: 'text' })
  model!: string;

  @Field(() => String, { nullable: true, description: 'What is spoken, as the model tells; null: it does not.' })
  @Column({ type: 'text', nullable: true })
  language!: string | null;

  @Field(() => Float, { nullable: true, description: 'How long the audio is; null: not even the model knows.' })
  @Column({ type: 'double precision', name: 'duration_seconds', nullable: true })
  durationSeconds!: number | null;

  /** How exactly the model has told when something was said. */
  @Column({ type: 'text' })
  timing!: Timing;

  @Field(() => [String], { description: 'The labels of its speakers, in the order in which they first speak.' })
  @Column({ type: 'text', array: true })
  speakers!: string[];

  @Field(() => JsonScalar, {
    description: 'What is not as it should be, each with `type`, `message` and where: `start` and `end` in seconds.',
  })
  @Column({ type: 'json' })
  warnings!: readonly TranscriptWarning[];

  @Column({ type: 'integer', name: 'segment_count' })
  segmentCount!: number;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}
