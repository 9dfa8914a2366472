import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { JsonScalar } from '../../graph/json.scalar.js';
import { Recording } from '../recordings/recording.entity.js';

const KEY = { primaryKeyConstraintName: 'transcript_segments_pkey' };

/** A word of a transcript, in seconds of the recording. */
export interface RecordedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** From 0 to 1; null where the model tells none. */
  readonly confidence: number | null;
}

/** A stretch of a transcript. */
@ObjectType('TranscriptSegment', { simpleResolvers: true, description: 'A stretch of a transcript.' })
@Entity('transcript_segments')
export class RecordedSegment {
  @PrimaryColumn({ type: 'text', name: 'recording_id', ...KEY })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'transcript_segments_recording_id_fkey' })
  recording?: Relation<Recording>;

  @PrimaryColumn({ type: 'integer', ...KEY })
  run!: number;

  @Field(() => Int, { description: 'Its number, from 0.' })
  @PrimaryColumn({ type: 'integer', ...KEY })
  position!: number;

  @Field(() => Float, { description: 'In seconds.' })
  @Column({ type: 'double precision', name: 'start_seconds' })
  start!: number;

  @Field(() => Float, { description: 'In seconds.' })
  @Column({ type: 'double precision', name: 'end_seconds' })
  end!: number;

  @Field(() => String, { description: 'What was said.' })
  @Column({ type: 'text' })
  text!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The label of who said it; null: nobody who is told from others.',
  })
  @Column({ type: 'text', nullable: true })
  speaker!: string | null;

  @Field(() => Boolean, { description: 'Whether the model has repeated itself there.' })
  @Column({ type: 'boolean', name: 'low_confidence' })
  lowConfidence!: boolean;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Its words, each with `word`, `start`, `end` and `confidence`; null where the model tells none.',
  })
  @Column({ type: 'json', nullable: true })
  words!: readonly RecordedWord[] | null;
}
