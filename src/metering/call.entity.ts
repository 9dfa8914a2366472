import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Area, Outcome } from './metering.types.js';

/** One metered call: one row, whatever happened to it (CONTRACT, section 9). Not a GraphQL type: usage reports read it. */
@Entity('calls')
@Index('calls_user_settled', ['userId', 'settledAt'])
@Index('calls_tenant_settled', ['tenantId', 'settledAt'])
export class Call {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'calls_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  /** The id of the token that made the call. */
  @Column({ type: 'text', name: 'token_id' })
  tokenId!: string;

  @Column({ type: 'text', name: 'request_id' })
  requestId!: string;

  @Column({ type: 'text' })
  area!: Area;

  @Column({ type: 'text' })
  model!: string;

  @Column({ type: 'text' })
  backend!: string;

  /** Whether the token counts are the upstream's own (`exact`) or counted here (`estimated`). */
  @Column({ type: 'text' })
  state!: 'exact' | 'estimated';

  @Column({ type: 'text' })
  outcome!: Outcome;

  @Column({ type: 'integer', name: 'prompt_tokens' })
  promptTokens!: number;

  @Column({ type: 'integer', name: 'completion_tokens' })
  completionTokens!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3 })
  settledAt!: Date;
}
