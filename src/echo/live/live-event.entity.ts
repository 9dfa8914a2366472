import { registerEnumType } from 'type-graphql';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { Recording } from '../recordings/recording.entity.js';

/** What an event of a live transcription tells of. */
export const TranscriptionEventType = { PARTIAL: 'PARTIAL', FINAL: 'FINAL', STATUS: 'STATUS' } as const;
/** One of them. */
export type TranscriptionEventType = keyof typeof TranscriptionEventType;

registerEnumType(TranscriptionEventType, {
  name: 'TranscriptionEventType',
  description: 'What an event of a transcription tells of.',
  valuesConfig: {
    PARTIAL: { description: 'A stretch of a turn, or of a chunk of a recording, with its times.' },
    FINAL: { description: 'All of a turn or chunk: it takes the place of its stretches.' },
    STATUS: { description: 'The transcription has begun or ended, or a turn or chunk could not be transcribed.' },
  },
});

/** What has happened in the transcription of a recording, live or not, stored for whoever comes later. */
@Entity('live_events')
export class LiveEvent {
  @PrimaryColumn({ type: 'text', name: 'recording_id', primaryKeyConstraintName: 'live_events_pkey' })
  recordingId!: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'live_events_recording_id_fkey' })
  recording?: Relation<Recording>;

  /** From 1 for each recording, without gaps. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'live_events_pkey' })
  id!: number;

  @Column({ type: 'text' })
  type!: TranscriptionEventType;

  @Column({ type: 'json' })
  data!: JsonObject;
}
