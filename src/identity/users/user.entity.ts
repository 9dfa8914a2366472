import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import type { Privilege } from '../../access/caller.js';
import { connectionType } from '../../graph/connection.js';
import { Tenant } from '../tenants/tenant.entity.js';

/** `suspended` and `disabled` users can neither sign in nor use what they have signed in with before. */
export type UserStatus = 'active' | 'suspended' | 'disabled';

/** A person who signs in (docs/api.md, Sign-in). */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A person who signs in.' })
@Entity('users')
@Unique('users_email_key', ['email'])
@Index('users_tenant_id', ['tenantId', 'id'])
export class User {
  @Field(() => ID, { description: 'Begins with `usr_`.' })
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  @Column({ type: 'text', name: 'tenant_id' })
  tenantId!: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'users_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  /** Lower case; unique in the whole installation. */
  @Field(() => String, { description: 'The address that the user signs in with.' })
  @Column({ type: 'text' })
  email!: string;

  @Field(() => String, { description: 'What people call the user.' })
  @Column({ type: 'text' })
  username!: string;

  /** Null where somebody else checks the password. */
  @Column({ type: 'text', name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Field(() => Boolean, { description: "Whether the email address is proven to be the user's." })
  @Column({ type: 'boolean' })
  confirmed!: boolean;

  @Column({ type: 'text' })
  status!: UserStatus;

  @Field(() => [String], { description: '`user`, `admin` of the own tenant, `sysadmin` of all tenants.' })
  @Column({ type: 'text', array: true })
  privileges!: Privilege[];

  @Field(() => [String], { description: 'The groups that a directory says the user is in.' })
  @Column({ type: 'text', array: true, name: 'group_memberships' })
  groupMemberships!: string[];

  /** Raised by whatever makes older tokens worthless. */
  @Field(() => Int, { description: 'Raised by whatever makes older tokens worthless.' })
  @Column({ type: 'integer', name: 'user_version' })
  userVersion!: number;

  @Field(() => Date, { description: 'When the account was made.' })
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;
}

/** A page of users. */
export const UserConnection = connectionType('User', User);
