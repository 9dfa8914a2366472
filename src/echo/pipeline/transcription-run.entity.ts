import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Recording } from '../recordings/recording.entity.js';

const KEY = { primaryKeyConstraintName: 'transcription_runs_pkey' };

/** One transcription of a recording, from its beginning to its end. */
@Entity('transcription_runs')
export class TranscriptionRun {
  @PrimaryColumn({ type: 'text', name: 'recording_id', ...KEY })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'transcription_runs_recording_id_fkey' })
  recording?: Relation<Recording>;

  /** From 1. */
  @PrimaryColumn({ type: 'integer', ...KEY })
  run!: number;

  /** The model that is wanted; when chunks are planned, the one that is asked for all of them. Null: whichever can. */
  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Column({ type: 'text' })
  language!: string;

  @Column({ type: 'boolean', name: 'diarization_enabled' })
  diarizationEnabled!: boolean;

  /** How many there are; null until all are planned. */
  @Column({ type: 'integer', name: 'chunk_count', nullable: true })
  chunkCount!: number | null;
}
