import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Area } from '../../access/area.js';
import type { Outcome } from '../metering.types.js';

/**
 * One metered call: one row, whatever happens to it. It is inserted before the upstream sees the call and settled once,
 * both by the database's `ledger_flush` alone. It is ledger entry, quota reservation and idempotency claim at once, and
 * what recovery works from. Not a GraphQL type: usage reports read it.
 */
@Entity('calls')
@Index('calls_user', ['userId', 'id'])
@Index('calls_settled_at', ['settledAt'], { where: 'settled_at IS NOT NULL' })
@Index('calls_operations', ['settledAt'], { where: 'area IS NULL' })
@Index('calls_open', ['processId'], { where: "state = 'open'" })
@Index('calls_claim', ['claimId'], { unique: true, where: 'claim_id IS NOT NULL' })
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

  /** The process that has the call open; its lease covers it. */
  @Column({ type: 'text', name: 'process_id' })
  processId!: string;

  /** Null: no call of a model, but an operation that is here for its Idempotency-Key. It is not metered. */
  @Column({ type: 'text', nullable: true })
  area!: Area | null;

  @Column({ type: 'text' })
  model!: string;

  @Column({ type: 'text' })
  backend!: string;

  /** Whether it is still open, and where not, whether its tokens are the upstream's own (`exact`) or counted here. */
  @Column({ type: 'text' })
  state!: 'open' | 'exact' | 'estimated';

  /** It was settled by its estimate because its process seemed dead. */
  @Column({ type: 'boolean', default: false })
  recovered!: boolean;

  /** Null while open. */
  @Column({ type: 'text', nullable: true })
  outcome!: Outcome | null;

  /** While open the estimate that is charged where the process dies. */
  @Column({ type: 'integer', name: 'prompt_tokens' })
  promptTokens!: number;

  @Column({ type: 'integer', name: 'completion_tokens' })
  completionTokens!: number;

  /** What it holds of the quota; 0 once it is settled. */
  @Column({ type: 'bigint', name: 'reserved_tokens' })
  reservedTokens!: string;

  /** Milliseconds of sound that went in or came out; while open what is charged where the process dies. */
  @Column({ type: 'integer', name: 'audio_ms', default: 0 })
  audioMs!: number;

  /** Milliseconds of sound that it holds of the quota; 0 once it is settled. */
  @Column({ type: 'bigint', name: 'reserved_audio_ms', default: 0 })
  reservedAudioMs!: string;

  /** From its beginning to its settlement; 0 while open. */
  @Column({ type: 'integer', name: 'duration_ms' })
  durationMs!: number;

  /** The month that it counts in, by its first day (UTC): that of its beginning. */
  @Column({ type: 'date' })
  period!: string;

  /** HMAC of what an Idempotency-Key stands for; unique for as long as the answer can be asked for again. */
  @Column({ type: 'text', name: 'claim_id', nullable: true })
  claimId!: string | null;

  /** MACs of the claim's credential and body. */
  @Column({ type: 'text', name: 'claim_fingerprint', nullable: true })
  claimFingerprint!: string | null;

  /** The client has left, and the call goes on for its claim; never taken back. */
  @Column({ type: 'boolean', name: 'is_unattended', default: false })
  isUnattended!: boolean;

  /** The answer of an operation that stores what it makes, readable with the caller's own credential alone. */
  @Column({ type: 'bytea', name: 'sealed_answer', nullable: true })
  sealedAnswer!: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  /** By the database's clock; null while open. */
  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  settledAt!: Date | null;
}
