import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What a user or a tenant has open and has used in a month. Moved by the database's `ledger_flush` alone, together with
 * the calls that it counts.
 */
@Entity('quota_counters')
export class QuotaCounter {
  /** The id of a user or of a tenant. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'quota_counters_pkey' })
  subject!: string;

  /** The first day of a calendar month in UTC. */
  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'quota_counters_pkey' })
  period!: string;

  @Column({ type: 'bigint', name: 'open_calls', default: 0 })
  openCalls!: string;

  @Column({ type: 'bigint', name: 'reserved_tokens', default: 0 })
  reservedTokens!: string;

  @Column({ type: 'bigint', name: 'settled_calls', default: 0 })
  settledCalls!: string;

  @Column({ type: 'bigint', name: 'settled_tokens', default: 0 })
  settledTokens!: string;

  @Column({ type: 'bigint', name: 'reserved_audio_ms', default: 0 })
  reservedAudioMs!: string;

  @Column({ type: 'bigint', name: 'settled_audio_ms', default: 0 })
  settledAudioMs!: string;
}
