import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Recording } from '../recordings/recording.entity.js';
import type { Chunk, PlacedChunk } from '../transcripts/transcripts.types.js';

const KEY = { primaryKeyConstraintName: 'transcription_chunks_pkey' };

/** A part of a recording that is transcribed by one call, and what came of it: a crash repeats no other. */
@Entity('transcription_chunks')
export class TranscriptionChunk {
  @PrimaryColumn({ type: 'text', name: 'recording_id', ...KEY })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'transcription_chunks_recording_id_fkey' })
  recording?: Relation<Recording>;

  @PrimaryColumn({ type: 'integer', ...KEY })
  run!: number;

  /** From 0. */
  @PrimaryColumn({ type: 'integer', ...KEY })
  position!: number;

  /** Which stretches of the recording it has. */
  @Column({ type: 'json' })
  chunk!: Chunk;

  /** What was said in it; null: not transcribed yet, or not at all. */
  @Column({ type: 'json', nullable: true })
  answer!: PlacedChunk | null;

  /** Why it was not transcribed, as a word; null: it was, or is not yet. */
  @Column({ type: 'text', nullable: true })
  failure!: string | null;
}
