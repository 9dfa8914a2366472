import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'usage_hours_pkey' };

/** The settled calls of an hour, up to the watermark; what was settled later is read from the calls. */
@Entity('usage_hours')
@Index('usage_hours_tenant', ['tenantId', 'hour'])
export class UsageHour {
  @PrimaryColumn({ type: 'text', name: 'tenant_id', ...KEY })
  tenantId!: string;

  @PrimaryColumn({ type: 'text', name: 'user_id', ...KEY })
  userId!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, ...KEY })
  hour!: Date;

  @PrimaryColumn({ type: 'text', ...KEY })
  area!: string;

  @PrimaryColumn({ type: 'text', ...KEY })
  model!: string;

  @Column({ type: 'bigint' })
  calls!: string;

  @Column({ type: 'bigint', name: 'prompt_tokens' })
  promptTokens!: string;

  @Column({ type: 'bigint', name: 'completion_tokens' })
  completionTokens!: string;

  @Column({ type: 'bigint', name: 'audio_ms', default: 0 })
  audioMs!: string;
}

/** One row: calls settled before this moment are in the hours of usage. */
@Entity('usage_watermark')
@Check('usage_watermark_single', '"id"')
export class UsageWatermark {
  @PrimaryColumn({ type: 'boolean', default: true, primaryKeyConstraintName: 'usage_watermark_pkey' })
  id!: boolean;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'rolled_up_to', precision: 3 })
  rolledUpTo!: Date;
}
