import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { connectionType } from '../../graph/connection.js';
import { User } from '../users/user.entity.js';

/** A personal access token (docs/api.md, API tokens): long-lived, for programs of its user, limited by scopes. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A long-lived token for programs of its user, limited by scopes.' })
@Entity('api_tokens')
@Index('api_tokens_user_id', ['userId', 'id'])
export class ApiToken {
  @Field(() => ID, { description: 'Begins with `tok_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'api_tokens_pkey' })
  id!: string;

  @Field(() => String, { description: 'Always `api_token`.' })
  readonly object = 'api_token';

  @Column({ type: 'text', name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_tokens_user_id_fkey' })
  user?: Relation<User>;

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @Field(() => String, { description: 'What its owner calls it.' })
  @Column({ type: 'text' })
  name!: string;

  @Field(() => [String], { description: 'What it may be used for; `*` is everything.' })
  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The text to send as bearer token; only what has just been issued has it. */
  @Field(() => String, { nullable: true, description: 'Told once, when it is made or rotated; null ever after.' })
  token?: string;

  /** SHA-256 of the secret, base64url. */
  @Column({ type: 'text', name: 'secret_hash' })
  secretHash!: string;

  /** The secret before the last rotation. */
  @Column({ type: 'text', name: 'previous_hash', nullable: true })
  previousHash!: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'previous_expires_at', nullable: true })
  previousExpiresAt!: Date | null;

  @Field(() => Date, { description: 'When it was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Field(() => Date, { description: 'A rotation does not change it.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'To the minute.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When its secret was last exchanged; null if never.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was deleted; null while it works.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}

/** A page of personal access tokens. */
export const ApiTokenConnection = connectionType('ApiToken', ApiToken);
