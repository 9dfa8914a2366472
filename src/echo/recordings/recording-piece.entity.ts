import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { wholeNumber } from '../../platform/database/whole-number.js';
import { Recording } from './recording.entity.js';

/** Bytes of a recording's audio that are stored for good; its pieces lie one behind another. */
@Entity('recording_pieces')
export class RecordingPiece {
  @PrimaryColumn({ type: 'text', name: 'recording_id', primaryKeyConstraintName: 'recording_pieces_pkey' })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'recording_pieces_recording_id_fkey' })
  recording?: Relation<Recording>;

  /** Where it begins in the audio. */
  @PrimaryColumn({
    type: 'bigint',
    name: 'start_byte',
    transformer: wholeNumber,
    primaryKeyConstraintName: 'recording_pieces_pkey',
  })
  startByte!: number;

  @Column({ type: 'bigint', name: 'size_bytes', transformer: wholeNumber })
  sizeBytes!: number;

  @Column({ type: 'text', name: 'blob_key' })
  blobKey!: string;
}
